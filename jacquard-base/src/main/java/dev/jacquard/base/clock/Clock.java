package dev.jacquard.base.clock;

/**
 * A source of time. All time in the project comes from one, so that a virtual clock can drive the real scheduler.
 *
 * <p>Readings of different clocks have different origins and rates: only readings of one clock may be compared or
 * subtracted.
 *
 * <p>Implementations are safe for use by any thread.
 */
@FunctionalInterface
public interface Clock {
    /** Nanoseconds from an arbitrary origin; never goes back. */
    long nanoTime();

    /** The clock of the machine. One reading costs about 20 ns: none belongs on a path of that length. */
    static Clock system() {
        return System::nanoTime;
    }
}
