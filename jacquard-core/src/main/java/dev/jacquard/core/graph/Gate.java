package dev.jacquard.core.graph;

import org.jspecify.annotations.Nullable;

/** A synchronizing task that waits for everything before it. Guarded by the scope's lock, but for what is final. */
final class Gate {
    final TaskNode task;
    /**
     * How many tasks of the scope were submitted before. Nothing behind can end first, so so many ended are all of
     * them.
     */
    final long before;

    @Nullable
    Gate next;

    Gate(TaskNode task, long before) {
        this.task = task;
        this.before = before;
    }
}
