package dev.jacquard.core.graph;

import java.time.Duration;
import java.util.Locale;

/** Lengths of time, for messages. */
final class Spans {
    private Spans() {}

    /** Like {@code 1m30s}, or {@code 0.005s}. */
    static String text(Duration time) {
        return time.toString().substring(2).toLowerCase(Locale.ROOT);
    }
}
