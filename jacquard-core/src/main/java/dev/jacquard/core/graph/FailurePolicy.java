package dev.jacquard.core.graph;

/** What a graph does when a task fails, besides cancelling what was to read that task's data. */
public enum FailurePolicy {
    /** The tasks that do not depend on the failed one go on. */
    CONTINUE,
    /** The graph is cancelled, as by {@link TaskGraph#cancel}: nothing more starts, and who listens is interrupted. */
    STOP
}
