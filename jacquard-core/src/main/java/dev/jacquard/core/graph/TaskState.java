package dev.jacquard.core.graph;

/**
 * The states of a task's lifecycle. A task ends in one of the last three. Source: the resource-register document,
 * section 3.
 */
public enum TaskState {
    /** The task waits for earlier tasks. */
    PENDING(0),
    /** The task waits for a worker. */
    READY(1),
    /** The body of the task runs. */
    RUNNING(2),
    /** The body of the task returned. */
    DONE(3),
    /** The body of the task threw. */
    FAILED(4),
    /**
     * The task did not run, since the graph was cancelled, or its input was never written because another task failed.
     */
    CANCELLED(5);

    private static final TaskState[] BY_CODE = values();

    private final int code;

    TaskState(int code) {
        this.code = code;
    }

    /** Returns a number for a packed field; {@link #of} is the inverse. */
    int code() {
        return code;
    }

    static TaskState of(int code) {
        return BY_CODE[code];
    }

    /** Returns true if the task is over. */
    public boolean isOver() {
        return this == DONE || this == FAILED || this == CANCELLED;
    }
}
