package dev.jacquard.core.graph;

import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.PlacedNode;
import dev.jacquard.engine.work.WorkerContext;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lifecycle of a try of an asynchronous task after its body. The body only begins the work and leaves a stage: the
 * try is over when the stage completes, and holds no worker until then.
 *
 * <p>Only the stage reports that its work has ended. When the time limit passes or the graph is cancelled, the stage is
 * asked to end, and the task waits for the stage: otherwise the next task would run concurrently with that work. A task
 * that {@linkplain TaskOptions#abandons abandons} its stage does not wait.
 *
 * <p>Threads: made by the body, and begun by its worker; ended by any.
 */
final class AsyncCompletion implements BiConsumer<@Nullable Object, @Nullable Throwable> {
    /** The logger of tasks. */
    private static final System.Logger LOG = System.getLogger(TaskNode.class.getName());

    private final TaskNode task;
    private final CompletionStage<?> stage;
    /**
     * The receiver of the stage's value, which becomes the task's result; null once the try is over, since a stage may
     * live longer than its task. Written before the try, and by the worker that goes on with the task.
     */
    private @Nullable Consumer<@Nullable Object> keeper;
    /** True once the stage has completed, or was given up. Guarded by the monitor. */
    private boolean ended;
    /** The failure of the stage; null for none. Written by the thread that ended it, before the task goes on. */
    private @Nullable Throwable error;
    /** The value of the stage. Written with {@link #error}. */
    private @Nullable Object value;

    @SuppressWarnings("unchecked") // the two are given together
    <T extends @Nullable Object> AsyncCompletion(
            TaskNode task, CompletionStage<? extends T> stage, Consumer<? super T> keeper) {
        this.task = task;
        this.stage = stage;
        this.keeper = (Consumer<@Nullable Object>) keeper;
    }

    /**
     * Goes on without a thread until the stage is complete. By the body's worker.
     *
     * @param attempt the try, if it can be interrupted; else null
     */
    void await(@Nullable Attempt attempt) {
        task.scope().graph.running().suspend(task);
        if (attempt != null && attempt.bodyOver(this)) {
            cancel();
        }
        try {
            stage.whenComplete(this);
        } catch (Throwable e) { // a stage of a class that users wrote
            ends(null, e);
        }
    }

    /**
     * Notifies the task again of its stage, if the stage is complete and the task was not notified: a thread with a
     * full stack may complete a stage without any notification or error. Returns true if the task goes on by that. Any
     * thread.
     */
    boolean tellAgain() {
        boolean lost;
        synchronized (this) {
            lost = !ended;
        }
        if (lost && stage instanceof CompletableFuture<?> future && isComplete(future)) {
            // On another thread: the caller may be a worker that is asleep, and would not look at its new work.
            task.scope().domain.broken.tellBeside(task, () -> tell(future));
            return true;
        }
        return false;
    }

    /** Returns true if a stage says that it is complete; a minimal one, and some of users, refuse to say. */
    private static boolean isComplete(CompletableFuture<?> future) {
        try {
            return future.isDone();
        } catch (RuntimeException refused) {
            return false;
        }
    }

    private void tell(CompletionStage<?> its) {
        its.whenComplete(this);
    }

    /** Continues the task after its stage is complete. By the thread that completed it, or by any other. */
    @Override
    public void accept(@Nullable Object itsValue, @Nullable Throwable thrown) {
        ends(itsValue, thrown);
    }

    private void ends(@Nullable Object itsValue, @Nullable Throwable thrown) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        BrokenSubmission broken = task.scope().domain.broken; // before the end is noted: the stack may be full
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
        }
        value = itsValue;
        error = cause;
        try {
            task.scope().graph.running().resume(task);
            task.scope().domain.dispatcher.ready(new Resumption(task, this));
        } catch (Error e) { // the task may be in no queue, and stages do not report exceptions thrown here
            broken.by = e; // a field, since there may be no stack left for a call
            broken.endRunAfter(task);
            throw e;
        }
    }

    /** Returns true if the stage belongs to a driver's function: its {@link #cancel} calls no users' code. */
    boolean isFunction() {
        return stage instanceof DrivenFunction<?>;
    }

    /**
     * Asks the stage to end, if it has a way to do so: the time limit passed, or the graph was cancelled, before the
     * stage was complete. Any thread; the timers' only if the stage {@linkplain #isFunction is a function's}.
     */
    void cancel() {
        cancelStage();
        abandon();
    }

    /** Like {@link #cancel}, by any thread. */
    void cancelOnTimer(Dispatcher dispatcher) {
        if (isFunction()) {
            cancelStage();
        } else {
            dispatcher.runUserCode(this::cancelStage);
        }
        abandon();
    }

    private void cancelStage() {
        try {
            CompletableFuture<?> future = stage.toCompletableFuture();
            if (task.ownTaskRun().options.abandons || hasOwnCancel(future)) {
                future.cancel(true);
            }
        } catch (Throwable e) { // from users' code: the other tasks are to be cancelled too
            LOG.log(Level.WARNING, "what task \"" + task.name() + "\" waits for cannot be cancelled", e);
        }
    }

    private void abandon() {
        if (task.ownTaskRun().options.abandons) {
            ends(null, new CancellationException("the stage of task \"" + task.name() + "\" was abandoned"));
        }
    }

    /**
     * Returns true if the class of {@code future} overrides {@code cancel}. The method of {@link CompletableFuture}
     * itself stops nothing: it completes the future, and the underlying work goes on.
     */
    private static boolean hasOwnCancel(CompletableFuture<?> future) throws NoSuchMethodException {
        return future.getClass().getMethod("cancel", boolean.class).getDeclaringClass() != CompletableFuture.class;
    }

    /** Describes the condition that the task waits for, for messages; null if the task does not wait. Any thread. */
    static @Nullable String whereabouts(TaskNode task) {
        TaskRun run = task.taskRun();
        AsyncCompletion its = run == null ? null : run.suspension();
        if (run == null || its == null) {
            return null;
        }
        if (its.stage instanceof DrivenFunction<?> driven) {
            return "its function " + driven.whereabouts();
        }
        TargetSelection route = run.tries.route();
        return route == null ? "its stage is not complete" : "its kernel runs on " + route.where();
    }

    /** Goes on with the task, since the stage is complete, or was given up. By a worker. */
    @SuppressWarnings("NullAway") // a result may be null
    void over(WorkerContext context) {
        task.runBy(context.index());
        if (error == null) {
            Objects.requireNonNull(keeper).accept(value);
        }
        keeper = null;
        value = null;
        task.ownTaskRun().stageOver(context, error);
    }

    /** Returns the task that {@code node} is, or goes on with; null for nodes of other kinds. */
    static @Nullable TaskNode taskOf(Node node) {
        return switch (node) {
            case TaskNode task -> task;
            case Resumption resumption -> resumption.task;
            default -> null;
        };
    }

    /** A node that continues a task after its asynchronous part. */
    private static final class Resumption extends PlacedNode {
        private final TaskNode task;
        private final AsyncCompletion ended;

        Resumption(TaskNode task, AsyncCompletion ended) {
            this.task = task;
            this.ended = ended;
            StagedData data = task.data();
            if (data != null && data.ahead() != null) {
                place(task.place()); // the next kernel begins there, and need not wait until another thread is woken
            }
        }

        @Override
        public void run(WorkerContext worker) {
            ended.over(worker);
        }

        @Override
        public String toString() {
            return task.name();
        }
    }
}
