package dev.jacquard.core.graph;

import java.time.Duration;

/**
 * Thrown when a task ran for longer than its time limit. The exception that its body threw when it was interrupted is
 * suppressed.
 */
public final class TaskTimeoutException extends Exception {
    private static final long serialVersionUID = 1;

    TaskTimeoutException(String task, long limitNanos) {
        super("task \"" + task + "\" exceeded its time limit of " + Durations.text(Duration.ofNanos(limitNanos)));
    }
}
