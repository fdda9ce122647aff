package dev.jacquard.memory.device.emulated;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.DeviceOffer.HostLink;
import dev.jacquard.memory.device.DeviceOffer.LinkSpeed;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An emulated device that could be used, and its properties. Each call of {@link #open} makes another one.
 *
 * @param name the caller keeps it unique in the process
 * @param memoryBytes its limit; at least 1
 * @param link the link between it and the host
 * @param computeFactor how many times as long as on this host a launch takes; at least 1
 * @param peers whether other emulated devices reach it, and it them, without the host
 * @param batchBytes bytes of a batch of a copy from or to Java arrays; see {@link Device#batchBytes}
 * @param faults its faults
 */
public record EmulatedOffer(
        String name,
        long memoryBytes,
        Link link,
        double computeFactor,
        boolean peers,
        long batchBytes,
        FaultPlan faults)
        implements DeviceOffer {
    public EmulatedOffer {
        if (name.isBlank()) {
            throw new IllegalArgumentException("an emulated device needs a name, not \"" + name + '"');
        }
        if (memoryBytes < 1) {
            throw new IllegalArgumentException(name + " needs at least 1 byte of memory, not " + memoryBytes);
        }
        if (!(computeFactor >= 1 && computeFactor < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    name + " takes at least 1 times as long as the host, not " + computeFactor + " times");
        }
        if (batchBytes < 1) {
            throw new IllegalArgumentException(name + " copies batches of at least 1 byte, not " + batchBytes);
        }
    }

    /** The same with so much memory, in bytes. */
    public EmulatedOffer memory(long bytes) {
        return new EmulatedOffer(name, bytes, link, computeFactor, peers, batchBytes, faults);
    }

    /** The same with another link. */
    public EmulatedOffer link(Link other) {
        return new EmulatedOffer(name, memoryBytes, other, computeFactor, peers, batchBytes, faults);
    }

    /** The same with this bandwidth each way, and this latency. */
    public EmulatedOffer link(long bytesPerSecond, long latencyNanos) {
        return link(new Link(bytesPerSecond, bytesPerSecond, latencyNanos));
    }

    /** The same, with launches that take {@code factor} times as long as on this host; at least 1. */
    public EmulatedOffer slower(double factor) {
        return new EmulatedOffer(name, memoryBytes, link, factor, peers, batchBytes, faults);
    }

    /** The same, but copies to other devices go through the host. */
    public EmulatedOffer withoutPeers() {
        return new EmulatedOffer(name, memoryBytes, link, computeFactor, false, batchBytes, faults);
    }

    /** The same with batches of that many bytes: see {@link Device#batchBytes}. */
    public EmulatedOffer batches(long bytes) {
        return new EmulatedOffer(name, memoryBytes, link, computeFactor, peers, bytes, faults);
    }

    /** The same with these faults. */
    public EmulatedOffer faults(FaultPlan other) {
        return new EmulatedOffer(name, memoryBytes, link, computeFactor, peers, batchBytes, other);
    }

    @Override
    public ExecutionTarget target() {
        return ExecutionTarget.EMULATED;
    }

    @Override
    public Optional<HostLink> hostLink() {
        return Optional.of(new HostLink(
                new LinkSpeed(link.inBytesPerSecond(), link.latencyNanos()),
                new LinkSpeed(link.outBytesPerSecond(), link.latencyNanos())));
    }

    @Override
    public Device.Properties properties() {
        Map<String, String> more = new LinkedHashMap<>();
        more.put("link_in_bytes_per_second", Long.toString(link.inBytesPerSecond()));
        more.put("link_out_bytes_per_second", Long.toString(link.outBytesPerSecond()));
        more.put("link_latency_ns", Long.toString(link.latencyNanos()));
        more.put("compute_factor", Double.toString(computeFactor));
        return new Device.Properties("emulated device", memoryBytes, memoryBytes, 1, more);
    }

    @Override
    public EmulatedDevice open() {
        return new EmulatedDevice(this);
    }

    /**
     * The link between the host and an emulated device. Each direction has its bandwidth for itself; copies that go the
     * same way share it, one after the other.
     *
     * @param inBytesPerSecond to the device; at least 1, {@link Long#MAX_VALUE} for no limit
     * @param outBytesPerSecond from the device; at least 1, {@link Long#MAX_VALUE} for no limit
     * @param latencyNanos how much longer each copy takes than its bytes do; at least 0
     */
    public record Link(long inBytesPerSecond, long outBytesPerSecond, long latencyNanos) {
        /** As fast as the host copies. */
        public static final Link UNLIMITED = new Link(Long.MAX_VALUE, Long.MAX_VALUE, 0);

        public Link {
            if (inBytesPerSecond < 1 || outBytesPerSecond < 1) {
                throw new IllegalArgumentException("a link carries at least 1 byte per second, not " + inBytesPerSecond
                        + " in and " + outBytesPerSecond + " out");
            }
            if (latencyNanos < 0) {
                throw new IllegalArgumentException("a link's latency cannot be negative: " + latencyNanos + " ns");
            }
        }
    }

    /**
     * The faults of an emulated device: at numbers that are given, and as often as rates and a seed say.
     *
     * <pre>
     *  FaultPlan.NONE.at(Kind.COPY, 3).at(Kind.LOSS, 20)      the 3rd copy fails, the 20th operation loses the device
     *  FaultPlan.NONE.seed(7).rate(Kind.LAUNCH, 0.01)         one launch in a hundred fails, the same ones each time
     * </pre>
     *
     * <p>Numbers begin at 1 and count the operations of the device so far, in their order; with several threads, in the
     * order of their calls.
     *
     * @param numbers per kind, which ones
     * @param rates per kind, how likely each one is; 0 to 1
     * @param seed of the faults that rates choose
     */
    public record FaultPlan(Map<Kind, Set<Long>> numbers, Map<Kind, Double> rates, long seed) {
        /** Nothing goes wrong. */
        public static final FaultPlan NONE = new FaultPlan(Map.of(), Map.of(), 0);

        /** A kind of fault. */
        public enum Kind {
            /** The n-th launch does nothing, and its stream fails. */
            LAUNCH(1),
            /** The n-th copy does nothing, and its stream fails. */
            COPY(2),
            /** One byte of the output of the n-th copy is wrong, in any of the 255 ways, and no event says so. */
            CORRUPTION(3),
            /** The n-th allocation of device memory is refused. */
            ALLOCATION(4),
            /** The n-th copy or launch, in one count, loses the device; not where it is skipped after a failed one. */
            LOSS(5);

            /** So that kinds do not go wrong together. */
            private final long salt;

            Kind(long salt) {
                this.salt = salt;
            }
        }

        public FaultPlan {
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
        public FaultPlan at(Kind kind, long... more) {
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
            return new FaultPlan(result, rates, seed);
        }

        /** The same with another rate of one kind, 0 to 1. */
        public FaultPlan rate(Kind kind, double rate) {
            Map<Kind, Double> result = new EnumMap<>(Kind.class);
            result.putAll(rates);
            result.put(kind, rate);
            return new FaultPlan(numbers, result, seed);
        }

        /** The same with another seed. */
        public FaultPlan seed(long other) {
            return new FaultPlan(numbers, rates, other);
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
}
