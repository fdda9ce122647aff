package dev.jacquard.core.graph;

import org.jspecify.annotations.Nullable;

/**
 * What becomes of a submitted task. Safe for use by any thread.
 *
 * @param <T> the type of the task's result; {@code Void} when it has none
 */
public interface Result<T extends @Nullable Object> {
    /**
     * Waits for the task and returns its result (null when it has none). The thread that opened the session runs tasks
     * meanwhile.
     *
     * @throws TaskFailedException when the task failed, or was cancelled because another one did
     * @throws java.util.concurrent.CancellationException when the graph was cancelled before the task started
     * @throws WaitInterruptedException when the waiting thread is interrupted
     * @throws IllegalStateException when called from inside a task
     */
    T join();

    /** Where the task is now. */
    TaskState state();

    /** The task's name. */
    String name();
}
