package dev.jacquard.core.graph;

import java.util.Objects;

/**
 * Thrown when a thread was interrupted while it waited for tasks, for a run or for a flow. The interrupt flag of the
 * thread is set again. The awaited tasks, run or flow go on; the caller may cancel them.
 */
public final class WaitInterruptedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Creates the exception, and sets the interrupt flag of the calling thread again. For implementations of graphs.
     */
    public WaitInterruptedException(String waitedFor, InterruptedException cause) {
        Objects.requireNonNull(waitedFor, "waitedFor");
        Objects.requireNonNull(cause, "cause");
        super("interrupted while waiting for " + waitedFor + "; the tasks go on", cause);
        Thread.currentThread().interrupt();
    }
}
