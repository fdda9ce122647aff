package dev.jacquard.core.graph;

import java.util.Objects;

/**
 * A thread was interrupted while it waited for tasks, for a run or for a flow. Its interrupt flag is set again; what it
 * waited for goes on, and the caller cancels it or not.
 */
public final class WaitInterruptedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** For those who make graphs. Sets the interrupt flag of the calling thread again. */
    public WaitInterruptedException(String waitedFor, InterruptedException cause) {
        Objects.requireNonNull(waitedFor, "waitedFor");
        Objects.requireNonNull(cause, "cause");
        super("interrupted while waiting for " + waitedFor + "; the tasks go on", cause);
        Thread.currentThread().interrupt();
    }
}
