package dev.jacquard.core.graph;

import org.jspecify.annotations.Nullable;

/** A synchronizing task that waits for everything before it. Guarded by the scope's lock, but for the final fields. */
final class Gate {
    final TaskNode task;
    /**
     * The number of tasks of the scope that were submitted before. No later task can end first: when this number of
     * tasks have ended, all of them are over.
     */
    final long before;

    @Nullable
    Gate next;

    Gate(TaskNode task, long before) {
        this.task = task;
        this.before = before;
    }
}
