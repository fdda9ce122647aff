package dev.jacquard.base.clock;

/**
 * A source of time. All time in the project comes from one, so that a virtual clock can drive the real scheduler.
 *
 * <p>Readings of different clocks have different origins and rates: only those of one clock may be compared or subtracted.
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

    /**
     * The cheapest clock there is, for those who measure and decide nothing by it: the processor's counter of cycles, at about 9 ns a
     * reading, where the operating system itself keeps time by it and native access is enabled for this module ({@code
     * --enable-native-access}); elsewhere {@link #system()}. Whoever asks first pays some milliseconds to measure the rate, and
     * some 60 if the process has called no native code before.
     *
     * <p>The rate is measured against {@link System#nanoTime}, within 1 in 5,000 and mostly 1 in 20,000, and not corrected later: after an
     * hour both may be 0.7 s apart. A reading may be taken some nanoseconds earlier or later than its place in the program says, as the processor
     * does not wait for what stands before it: between threads that much may be missing. When the machine was suspended to memory the
     * counter may begin anew, and readings from before that are then worth nothing.
     */
    static Clock cycles() {
        return CycleClock.orSystem();
    }
}
