package dev.jacquard.memory.device.emulated;

import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The faults of an emulated device: at numbers that are given, and as often as rates and a seed say.
 *
 * <pre>
 *  EmulatedFaults.NONE.at(Kind.COPY, 3).at(Kind.LOSS, 20)      the 3rd copy fails, the 20th operation loses the device
 *  EmulatedFaults.NONE.seed(7).rate(Kind.LAUNCH, 0.01)         one launch in a hundred fails, the same ones each time
 * </pre>
 *
 * <p>Numbers begin at 1 and count what the device was told so far, in that order; when several threads tell it, the
 * order is theirs.
 *
 * @param numbers per kind, which ones
 * @param rates per kind, how likely each one is; 0 to 1
 * @param seed of those that rates choose
 */
public record EmulatedFaults(Map<Kind, Set<Long>> numbers, Map<Kind, Double> rates, long seed) {
    /** Nothing goes wrong. */
    public static final EmulatedFaults NONE = new EmulatedFaults(Map.of(), Map.of(), 0);

    /** A kind of fault. */
    public enum Kind {
        /** The n-th launch does nothing, and its stream fails. */
        LAUNCH(1),
        /** The n-th copy does nothing, and its stream fails. */
        COPY(2),
        /** One byte of what the n-th copy has written is wrong, in any of the 255 ways, and no event says so. */
        CORRUPTION(3),
        /** The n-th allocation of device memory is refused. */
        ALLOCATION(4),
        /** The n-th copy or launch, in one count, loses the device. */
        LOSS(5);

        /** So that kinds do not go wrong together. */
        private final long salt;

        Kind(long salt) {
            this.salt = salt;
        }
    }

    public EmulatedFaults {
        Map<Kind, Set<Long>> sets = new EnumMap<>(Kind.class);
        numbers.forEach((kind, of) -> sets.put(kind, Set.copyOf(of)));
        numbers = Collections.unmodifiableMap(sets);
        Map<Kind, Double> shares = new EnumMap<>(Kind.class);
        rates.forEach((kind, rate) -> {
            if (!(rate >= 0 && rate <= 1)) {
                throw new IllegalArgumentException("the rate of " + kind + " must be 0 to 1, not " + rate);
            }
            shares.put(kind, rate);
        });
        rates = Collections.unmodifiableMap(shares);
    }

    /**
     * The same, and these ones as well.
     *
     * @param more numbers, from 1
     */
    public EmulatedFaults at(Kind kind, long... more) {
        Set<Long> all = new HashSet<>(numbers.getOrDefault(kind, Set.of()));
        for (long number : more) {
            if (number < 1) {
                throw new IllegalArgumentException("numbers of " + kind + " begin at 1, not " + number);
            }
            all.add(number);
        }
        Map<Kind, Set<Long>> result = new EnumMap<>(Kind.class);
        result.putAll(numbers);
        result.put(kind, all);
        return new EmulatedFaults(result, rates, seed);
    }

    /** The same with another rate of one kind, 0 to 1. */
    public EmulatedFaults rate(Kind kind, double rate) {
        Map<Kind, Double> result = new EnumMap<>(Kind.class);
        result.putAll(rates);
        result.put(kind, rate);
        return new EmulatedFaults(numbers, result, seed);
    }

    /** The same with another seed. */
    public EmulatedFaults seed(long other) {
        return new EmulatedFaults(numbers, rates, other);
    }

    /** Returns true if the n-th operation of that kind goes wrong. */
    boolean strike(Kind kind, long number) {
        Set<Long> given = numbers.get(kind);
        Double rate = rates.get(kind);
        return (given != null && given.contains(number)) || (rate != null && share(kind, number) < rate);
    }

    /** A place from 0 to {@code places - 1} for the n-th one, the same each time. */
    long place(Kind kind, long number, long places) {
        return Math.floorMod(mix(mix(seed + kind.salt) + number), places);
    }

    private double share(Kind kind, long number) {
        return (mix(mix(~seed + kind.salt) + number) >>> 11) * 0x1p-53;
    }

    /**
     * Spreads the bits; source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014,
     * figure 16.
     */
    private static long mix(long bits) {
        long z = bits * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
