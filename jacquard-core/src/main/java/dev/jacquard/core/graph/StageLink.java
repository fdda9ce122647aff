package dev.jacquard.core.graph;

import dev.jacquard.engine.work.WorkerContext;
import java.lang.invoke.VarHandle;
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

    private StageLink(TaskNode task, Supplier<T> value) {
        super(null, false, true);
        this.task = task;
        this.value = value;
    }

    static <T extends @Nullable Object> CompletionStage<T> of(TaskNode task, Supplier<T> value) {
        StageLink<T> link = new StageLink<>(task, value);
        if (!task.tell(link) || task.isDecided()) {
            link.complete();
        } else {
            task.scope().domain.abandonment.know(link);
        }
        return link.future.copy(); // a copy, which its owner may complete without harm
    }

    @Override
    void decided() {
        if (handled) {
            handled();
        }
        task.scope().domain.broken.tellBeside(task, this::complete);
    }

    @Override
    void ends(Outcome how) {
        if (handled) {
            task.scope().graph.failures().tell(how);
        }
    }

    @Override
    void over(WorkerContext worker) {
        task.scope().domain.broken.tellBeside(task, this::complete);
    }

    /**
     * Counts a failure for which there is code as reported, so that an await does not report it. Either this method
     * sees the state of a task that ends badly, which is set before the link is notified, or the notification sees the
     * flag.
     */
    private void handled() {
        handled = true;
        VarHandle.fullFence();
        Outcome how = task.ending();
        if (how == null && (task.state() == TaskState.FAILED || task.state() == TaskState.CANCELLED)) {
            VarHandle.acquireFence(); // the outcome was written before the state
            how = task.fate();
        }
        task.scope().graph.failures().tell(how);
    }

    private void complete() {
        RuntimeException failure = task.failure();
        if (failure == null) {
            future.complete(value.get());
        } else {
            future.completeExceptionally(failure);
        }
        task.scope().domain.abandonment.forget(this);
    }

    /** Returns true if the task has begun, and is not over. */
    boolean runs() {
        return task.state() == TaskState.RUNNING;
    }

    boolean isComplete() {
        return future.isDone();
    }

    /**
     * Completes the future of a task that is not over, and never will be, with the exception that a wait for it would
     * throw.
     */
    void neverOver() {
        DependencyDomain domain = task.scope().domain;
        domain.broken.tellBeside(task, () -> {
            if (task.isDecided()) { // by the last step of a worker
                complete();
                return;
            }
            try {
                domain.dispatcher.requireUnbroken();
            } catch (RuntimeException e) {
                future.completeExceptionally(e);
            }
            domain.abandonment.forget(this);
        });
    }
}
