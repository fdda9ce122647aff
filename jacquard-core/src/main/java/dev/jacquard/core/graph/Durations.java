package dev.jacquard.core.graph;

import java.time.Duration;
import java.util.Locale;

/** Conversions of durations: for messages, and to the nanoseconds that the engine counts. */
public final class Durations {
    private Durations() {}

    /** Returns a text like {@code 1m30s}, or {@code 0.005s}. */
    public static String text(Duration time) {
        return time.toString().substring(2).toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the nanoseconds of {@code time}.
     *
     * @param what the name of the duration, for messages
     * @throws IllegalArgumentException if there are more than can be counted
     */
    public static long nanos(Duration time, String what) {
        try {
            return time.toNanos();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    what + " of " + text(time)
                            + " is longer than the 292 years that can be counted: leave it out for no limit",
                    e);
        }
    }
}
