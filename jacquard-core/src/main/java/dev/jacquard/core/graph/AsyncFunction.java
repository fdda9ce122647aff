package dev.jacquard.core.graph;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The work of an asynchronous task: begins an operation that completes later, and holds no worker until then.
 *
 * @param <T> the type of the result
 */
@FunctionalInterface
public interface AsyncFunction<T extends @Nullable Object> {
    /**
     * Begins the work. The task is over when the returned stage completes; the task fails if the stage completes
     * exceptionally or this method throws. {@code context} is valid until then.
     */
    CompletionStage<? extends T> start(TaskContext context) throws Exception;
}
