package dev.jacquard.core.graph;

import dev.jacquard.core.data.Handle;

/** A running task as its own body sees it. Valid until the body returns, and for the thread that runs it only. */
public interface TaskContext {
    /**
     * The value of a handle that the task declared an access to.
     *
     * @throws IllegalArgumentException when it declared none
     */
    <T> T get(Handle<T> handle);

    /** The task's name. */
    String name();

    /** The worker that runs it, 0 to workers - 1. */
    int worker();

    /** Whether the graph was cancelled: a long body looks now and then, and returns. */
    boolean cancelled();
}
