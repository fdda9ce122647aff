package dev.jacquard.core.graph;

import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.View;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A place to submit tasks: a graph, or the inside of a refined task. */
public interface Tasks {
    /**
     * Begins a task.
     *
     * @param task the name of the task, for messages, traces and drawings; need not be unique
     * @throws IllegalStateException when nothing can be submitted here any more
     */
    TaskBuilder task(String task);

    /**
     * Begins a task that brings data to the place where it will be needed, and runs nothing. Throws like {@link #task}.
     */
    default Prefetch prefetch(Data data) {
        Objects.requireNonNull(data, "data");
        return new Prefetch(task("prefetch " + data.name()).reads(data)::bring);
    }

    /**
     * Begins a task that brings a part of data, like {@link #prefetch(Data)}. Devices have replicas of exactly the
     * parts that tasks access: bring such a part, not a larger one that contains it.
     */
    default Prefetch prefetch(View part) {
        Objects.requireNonNull(part, "part");
        return new Prefetch(task("prefetch " + part).reads(part)::bring);
    }

    /**
     * Gives up the contents of {@code data} as soon as the tasks submitted before that access it are over: its memory,
     * on the host and on devices, is free for other data. The data may be written again afterwards. Does nothing as
     * long as {@link Data#isKept}.
     *
     * @return a task that is over when the contents are given up
     * @throws IllegalArgumentException when the data lies in the user's array, which is not the engine's to give up
     */
    default Task<@Nullable Void> release(Data data) {
        Objects.requireNonNull(data, "data");
        return task("release " + data.name()).release(data);
    }
}
