package dev.jacquard.core.graph;

/**
 * The run of a session was ended by something that is no task: a listener that threw, a submission that broke off half
 * way. All graphs were cancelled; the cause is what it threw. Every await throws one.
 */
public final class RunEndedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean repeated;

    RunEndedException(String message, Throwable cause, boolean repeated) {
        super(message, cause);
        this.repeated = repeated;
    }

    /** Whether an earlier await has thrown one for the same cause. */
    public boolean isRepeated() {
        return repeated;
    }
}
