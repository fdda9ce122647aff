package dev.jacquard.core.graph;

import java.util.concurrent.CancellationException;

/** The deadline of a graph passed before it was over, and so it was cancelled. Failures of its tasks are suppressed. */
public final class DeadlineException extends CancellationException {
    private static final long serialVersionUID = 1;

    private final boolean repeated;

    DeadlineException(String message, boolean repeated) {
        super(message);
        this.repeated = repeated;
    }

    /** True if an await has thrown this before. */
    public boolean isRepeated() {
        return repeated;
    }
}
