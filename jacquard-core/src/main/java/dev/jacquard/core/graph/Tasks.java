package dev.jacquard.core.graph;

import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.View;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where tasks are submitted: a graph, or the inside of a task that is refined. */
public interface Tasks {
    /**
     * Begins a task.
     *
     * @param task its name, for messages, traces and drawings; need not be unique
     * @throws IllegalStateException when nothing can be submitted here any more
     */
    TaskBuilder task(String task);

    /**
     * Begins to bring data where it will be needed: as a task that reads it there, and runs nothing. Throws like
     * {@link #task}.
     */
    default Prefetch prefetch(Data data) {
        Objects.requireNonNull(data, "data");
        return new Prefetch(task("prefetch " + data.name()).reads(data));
    }

    /**
     * Likewise for a part. Devices have replicas of just what tasks access: bring the part that they do, not one that
     * contains it.
     */
    default Prefetch prefetch(View part) {
        Objects.requireNonNull(part, "part");
        return new Prefetch(task("prefetch " + part).reads(part));
    }

    /**
     * Gives up what {@code data} holds, as soon as the tasks are over that were submitted before and access it: its
     * memory, on the host and on devices, is there for other data. It may be written anew afterwards. Does nothing as
     * long as {@link Data#isKept}.
     *
     * @return over when that is so
     * @throws IllegalArgumentException when the data lies in the user's array, which is not the engine's to give up
     */
    default Task<@Nullable Void> release(Data data) {
        Objects.requireNonNull(data, "data");
        return task("release " + data.name()).release(data);
    }
}
