package dev.jacquard.core.graph;

/** Where a task is in its life. It ends in one of the last three. Source: the resource-register document, section 3. */
public enum TaskState {
    /** Waits for earlier tasks. */
    PENDING,
    /** Waits for a worker. */
    READY,
    /** Its body runs. */
    RUNNING,
    /** Its body returned. */
    DONE,
    /** Its body threw. */
    FAILED,
    /** It did not run: the graph was cancelled, or what it was to read was never written because another task failed. */
    CANCELLED;

    /** Whether the task is over. */
    public boolean isOver() {
        return this == DONE || this == FAILED || this == CANCELLED;
    }
}
