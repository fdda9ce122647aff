package dev.jacquard.core.graph;

import org.jspecify.annotations.Nullable;

/**
 * The body of a task with a result.
 *
 * @param <T> the type of the result
 */
@FunctionalInterface
public interface TaskFunction<T extends @Nullable Object> {
    /**
     * Does the work of the task and returns its result. An exception fails the task. {@code context} is valid until it
     * returns.
     */
    T call(TaskContext context) throws Exception;
}
