package dev.jacquard.core.graph;

/**
 * Thrown when the run of a session was ended by something other than a task: a listener that threw, or a submission
 * that broke off half way. All graphs were cancelled; the cause is the exception of that listener or submission. Every
 * await throws such an exception.
 */
public final class RunEndedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean repeated;

    RunEndedException(String message, Throwable cause, boolean repeated) {
        super(message, cause);
        this.repeated = repeated;
    }

    /** Returns true if an earlier await has thrown such an exception for the same cause. */
    public boolean isRepeated() {
        return repeated;
    }
}
