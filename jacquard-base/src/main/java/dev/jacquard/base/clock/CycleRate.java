package dev.jacquard.base.clock;

import java.util.function.LongSupplier;

/**
 * How a counter of cycles becomes nanoseconds: by one multiplication of 128 bits, which wraps after 2<sup>64</sup> cycles, that is a hundred
 * years at 5 GHz.
 *
 * @param start the counter when the measurement began; later readings are not before it. Unsigned
 * @param origin what another clock showed then, nanoseconds
 * @param multiplier nanoseconds per cycle, times 2<sup>58</sup>; positive
 */
record CycleRate(long start, long origin, long multiplier) {
    /** Of the multiplier's bits so many stand behind the point: as many as there can be with the slowest counter. */
    private static final int FRACTION = 58;

    private static final double SLOWEST_GHZ = 0.05;
    private static final double FASTEST_GHZ = 50;

    /** For so long the rate is measured if all goes well, and up to 64 times as long if it does not. */
    private static final long SPAN_NANOS = 1_000_000;

    private static final int DOUBLINGS = 6;
    /** Pairs of readings of which the tightest counts. */
    private static final int PAIRS = 32;
    /** For what runs often to be compiled; more where that is not enough. */
    private static final int WARM_UPS = 64;
    /** Errors at the ends must not be more of the span. */
    private static final double TOLERANCE = 2e-4;

    /** Both clocks, as far as they can be read together: the truth lies within {@code width} nanoseconds. */
    private record Pair(long cycles, long nanos, long width) {}

    /**
     * The rate from both over a millisecond, and longer where something comes between the readings.
     *
     * @param counter of cycles
     * @param clock nanoseconds; never goes back
     * @throws UnsupportedOperationException when both cannot be read together, or no processor's counter could have that rate
     */
    static CycleRate measure(LongSupplier counter, LongSupplier clock) {
        for (int i = 0; i < WARM_UPS; i++) {
            tightest(counter, clock);
        }
        Pair first = tightest(counter, clock);
        Pair last = first;
        for (int i = 0; i <= DOUBLINGS; i++) {
            while (last.nanos - first.nanos < SPAN_NANOS << i) {
                last = tightest(counter, clock);
            }
            if ((first.width + last.width) / 2.0 <= (last.nanos - first.nanos) * TOLERANCE) {
                return of(first, last);
            }
            if (last.width < first.width / 2) {
                first = last; // compiled only now
            }
        }
        throw new UnsupportedOperationException("the clocks were read together within " + first.width + " and "
                + last.width + " ns at best, which is too much of " + (last.nanos - first.nanos) + " ns");
    }

    private static Pair tightest(LongSupplier counter, LongSupplier clock) {
        Pair best = new Pair(0, 0, Long.MAX_VALUE);
        long before = clock.getAsLong();
        for (int i = 0; i < PAIRS; i++) {
            long cycles = counter.getAsLong();
            long after = clock.getAsLong();
            if (after - before < best.width) {
                best = new Pair(cycles, before + (after - before) / 2, after - before);
            }
            before = after;
        }
        return best;
    }

    private static CycleRate of(Pair first, Pair last) {
        double cycles = last.cycles - first.cycles;
        double nanos = last.nanos - first.nanos;
        if (!(cycles >= SLOWEST_GHZ * nanos && cycles <= FASTEST_GHZ * nanos)) {
            throw new UnsupportedOperationException(
                    "no processor counts " + (long) cycles + " cycles in " + (long) nanos + " ns");
        }
        return new CycleRate(first.cycles, first.nanos, (long) Math.scalb(nanos / cycles, FRACTION));
    }

    /** Nanoseconds on the other clock's scale when the counter shows {@code cycles}. */
    long nanos(long cycles) {
        long since = cycles - start;
        long high = Math.unsignedMultiplyHigh(since, multiplier);
        return origin + ((high << (Long.SIZE - FRACTION)) | ((since * multiplier) >>> FRACTION));
    }
}
