package dev.jacquard.core.graph;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Completes a future when a task is over, on a thread that runs no tasks: users' code depends on it. */
final class StageLink<T extends @Nullable Object> extends Link {
    private final Task task;
    private final Supplier<T> value;
    private final CompletableFuture<T> future = new CompletableFuture<>();

    private StageLink(Task task, Supplier<T> value) {
        super(null, false, true);
        this.task = task;
        this.value = value;
    }

    static <T extends @Nullable Object> CompletionStage<T> of(Task task, Supplier<T> value) {
        StageLink<T> link = new StageLink<>(task, value);
        if (!task.tell(link)) {
            link.complete();
        }
        return link.future.minimalCompletionStage();
    }

    @Override
    void over(WorkerContext worker) {
        task.scope().domain.dispatcher.background(this::complete);
    }

    private void complete() {
        RuntimeException failure = task.failure();
        if (failure == null) {
            future.complete(value.get());
        } else {
            future.completeExceptionally(failure);
        }
    }
}
