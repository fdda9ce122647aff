package dev.jacquard.core.graph;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What an asynchronous task does: begins something that completes later, and holds no worker meanwhile.
 *
 * @param <T> the type of the result
 */
@FunctionalInterface
public interface AsyncFunction<T extends @Nullable Object> {
    /**
     * Begins the work; the task is over when the stage completes, and failed when it completes exceptionally or this
     * throws. {@code context} is valid until then.
     */
    CompletionStage<? extends T> start(TaskContext context) throws Exception;
}
