package dev.jacquard.components.component;

/** A way of running a program. Program files write {@code task-parallel}. */
public enum RunMode {
    /** One component at a time, in topological order. */
    SERIAL,
    /** In one process, with items that have no path between them in parallel. */
    PARALLEL,
    /** Each component on one of several ranks. */
    TASK_PARALLEL,
    /** Each component on all of several ranks, on a part of the data each. */
    DATA_PARALLEL;

    /** Returns true if it takes several ranks. */
    public boolean hasRanks() {
        return this == TASK_PARALLEL || this == DATA_PARALLEL;
    }
}
