package dev.jacquard.core.kernel;

import dev.jacquard.memory.data.Handle;

/**
 * The view of a running task that its own body has, on a worker. Methods that access the task's resources throw
 * {@link IllegalStateException} once the task is over.
 */
public interface BodyContext extends KernelContext {
    /**
     * Returns the value of a handle. The task must have declared an access to the handle, or to the handle of which it
     * is a part.
     *
     * @throws IllegalArgumentException when the task declared none
     */
    <T> T get(Handle<T> handle);

    /**
     * Returns the value of the handle of that name to which the task declared an access.
     *
     * @throws IllegalArgumentException when the task declared none of that name, or several, or the value is of another
     *     type
     */
    <T> T get(String handle, Class<T> type);

    /** Returns the worker that runs the task, from 0 to the number of workers minus 1. */
    int worker();
}
