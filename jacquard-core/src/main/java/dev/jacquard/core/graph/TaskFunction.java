package dev.jacquard.core.graph;

import org.jspecify.annotations.Nullable;

/**
 * What a task with a result does.
 *
 * @param <T> the type of the result
 */
@FunctionalInterface
public interface TaskFunction<T extends @Nullable Object> {
    /** The work; what it throws fails the task. {@code context} is valid until it returns. */
    T call(TaskContext context) throws Exception;
}
