package dev.jacquard.core.graph;

import java.util.Objects;

/** A thread was interrupted while it waited for tasks. Its interrupt flag is set again; the tasks go on. */
public final class WaitInterruptedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** For those who make graphs. */
    public WaitInterruptedException(String waitedFor, InterruptedException cause) {
        Objects.requireNonNull(waitedFor, "waitedFor");
        Objects.requireNonNull(cause, "cause");
        super("interrupted while waiting for " + waitedFor + "; the tasks go on", cause);
    }
}
