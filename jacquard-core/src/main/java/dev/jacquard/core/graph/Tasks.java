package dev.jacquard.core.graph;

import dev.jacquard.core.data.Data;
import dev.jacquard.core.data.View;

/** Where tasks are submitted: a graph, or the inside of a task that is refined. */
public interface Tasks {
    /**
     * Begins a task.
     *
     * @param task its name, for messages, traces and drawings; need not be unique
     * @throws IllegalStateException when nothing can be submitted here any more
     */
    TaskBuilder task(String task);

    /** Begins to bring data where it will be needed: as a task that reads it there, and runs nothing. Throws like {@link #task}. */
    default Prefetch prefetch(Data data) {
        return new Prefetch(task("prefetch " + data.name()).reads(data));
    }

    /**
     * Likewise for a part. Devices have replicas of just what tasks access: bring the part that they do, not one that contains it.
     */
    default Prefetch prefetch(View part) {
        return new Prefetch(task("prefetch " + part).reads(part));
    }
}
