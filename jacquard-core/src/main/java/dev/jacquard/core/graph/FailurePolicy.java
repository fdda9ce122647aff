package dev.jacquard.core.graph;

/** The reaction of a graph to the failure of a task, besides cancelling the tasks that read its data. */
public enum FailurePolicy {
    /** The tasks that do not depend on the failed one go on. */
    CONTINUE,
    /**
     * The graph is cancelled, as by {@link TaskGraph#cancel}: nothing more starts, and interruptible bodies are
     * interrupted.
     */
    STOP
}
