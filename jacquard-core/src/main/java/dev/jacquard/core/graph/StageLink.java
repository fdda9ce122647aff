package dev.jacquard.core.graph;

import dev.jacquard.engine.work.WorkerContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A link that completes a future when it is known how a task ends, on a thread that runs no tasks, since users' code
 * depends on the future.
 */
final class StageLink<T extends @Nullable Object> extends Link {
    private final TaskNode task;
    private final Supplier<T> value;
    private final CompletableFuture<T> future = new ResultStage<>(this::handled);
    /** True once code for failures is attached. Set by any thread. */
    private volatile boolean handled;
    /** The outcome of a task that did not end well; else null. Written before the future completes, by any thread. */
    private volatile @Nullable Outcome failed;

    private StageLink(TaskNode task, Supplier<T> value) {
        super(null, false, true);
        this.task = task;
        this.value = value;
    }

    static <T extends @Nullable Object> CompletionStage<T> of(TaskNode task, Supplier<T> value) {
        StageLink<T> link = new StageLink<>(task, value);
        if (!task.tell(link) || task.isDecided()) {
            link.complete();
        }
        return link.future.copy(); // a copy, which its owner may complete without harm
    }

    @Override
    void decided() {
        settle();
        task.scope().domain.dispatcher.background(this::complete);
    }

    @Override
    void over(WorkerContext worker) {
        settle();
        task.scope().domain.dispatcher.background(this::complete);
    }

    private void handled() {
        handled = true; // volatile, like the other field: one of the two threads sees both
        Outcome how = failed;
        if (how != null) {
            task.scope().graph.failures().tell(how);
        }
    }

    /** Counts a failure for which there is code as told, before an await can tell it. */
    private void settle() {
        if (task.failure() != null) {
            failed = task.ending();
            if (handled) {
                handled();
            }
        }
    }

    private void complete() {
        RuntimeException failure = task.failure();
        if (failure == null) {
            future.complete(value.get());
        } else {
            settle();
            future.completeExceptionally(failure);
        }
    }
}
