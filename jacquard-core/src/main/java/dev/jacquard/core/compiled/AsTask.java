package dev.jacquard.core.compiled;

import dev.jacquard.engine.work.WorkerContext;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A run that is a task of a live graph. Threads: completed by the worker that ends the run, cancelled by any. */
final class AsTask implements NestedRun {
    private final CompiledGraph graph;
    private volatile boolean cancelled;
    private final CompletableFuture<@Nullable Void> stage = new CompletableFuture<>() {
        @Override
        public boolean cancel(boolean interrupt) {
            cancelled = true; // volatile: a run that begins later reads the flag
            graph.cancel(AsTask.this);
            return true; // the task completes when the run is over
        }
    };

    AsTask(CompiledGraph graph) {
        this.graph = graph;
    }

    CompletableFuture<@Nullable Void> stage() {
        return stage;
    }

    @Override
    public void over(WorkerContext worker, @Nullable RuntimeException failure) {
        if (failure == null) {
            stage.complete(null);
        } else {
            stage.completeExceptionally(failure);
        }
    }

    @Override
    public boolean cancelled() {
        return cancelled;
    }
}
