package dev.jacquard.core.graph;

import java.util.concurrent.CancellationException;

/**
 * Thrown when the deadline of a graph passed before the graph was over, so that the graph was cancelled. The failures
 * of its tasks are suppressed exceptions.
 */
public final class DeadlineException extends CancellationException {
    private static final long serialVersionUID = 1;

    private final boolean repeated;

    DeadlineException(String message, boolean repeated) {
        super(message);
        this.repeated = repeated;
    }

    /** Returns true if an earlier await has reported this deadline. */
    public boolean isRepeated() {
        return repeated;
    }
}
