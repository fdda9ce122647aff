package dev.jacquard.core.graph;

import org.jspecify.annotations.Nullable;

/** The place where the tasks of a builder go: a scope, where they run, or a recording. */
interface Submission {
    /** Returns the scope that has the session and the graph of the tasks. */
    Scope scope();

    /** Returns true if tasks that are submitted here run, and are not just recorded. */
    default boolean runs() {
        return true;
    }

    /** Returns the work of earlier tasks where tasks are just recorded; null where they run, or have no data. */
    default @Nullable RecordedWork recordedWork() {
        return null;
    }

    /** Returns true if a task that is submitted here may come after {@code earlier}. */
    boolean mayComeAfter(TaskNode earlier);

    /**
     * Submits a task.
     *
     * @param special true if an access is more than a built-in mode, so that the submission asks it first
     */
    void submit(TaskNode task, boolean special);
}
