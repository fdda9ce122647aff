package dev.jacquard.core.graph;

/** Where a task is in its life. It ends in one of the last three. Source: the resource-register document, section 3. */
public enum TaskState {
    /** Waits for earlier tasks. */
    PENDING(0),
    /** Waits for a worker. */
    READY(1),
    /** Its body runs. */
    RUNNING(2),
    /** Its body returned. */
    DONE(3),
    /** Its body threw. */
    FAILED(4),
    /**
     * It did not run: the graph was cancelled, or what it was to read was never written because another task failed.
     */
    CANCELLED(5);

    private static final TaskState[] BY_CODE = values();

    private final int code;

    TaskState(int code) {
        this.code = code;
    }

    /** A number for a packed field; {@link #of} undoes it. */
    int code() {
        return code;
    }

    static TaskState of(int code) {
        return BY_CODE[code];
    }

    /** Whether the task is over. */
    public boolean isOver() {
        return this == DONE || this == FAILED || this == CANCELLED;
    }
}
