package dev.jacquard.core.graph;

import dev.jacquard.engine.work.WorkerContext;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The life of an asynchronous task after its body. The body only begins the work and leaves a stage: the task is over
 * when the stage completes, and holds no worker until then. The fields of {@link Extras} say who writes them.
 *
 * <p>Only the stage tells that its work has ended. When the time limit passes or the graph is cancelled, the stage is
 * asked to end, and the task waits for the stage: otherwise the next task would run beside work that goes on. A task
 * that {@linkplain Extras#abandons abandons} its stage does not wait.
 */
final class AsyncCompletion {
    /** The logger of tasks. */
    private static final System.Logger LOG = System.getLogger(TaskNode.class.getName());

    private AsyncCompletion() {}

    /** Makes the task wait for {@code stage}, whose result goes to {@code keeper}. Called from the body. */
    @SuppressWarnings("unchecked") // the two are given together
    static <T extends @Nullable Object> void suspend(
            TaskNode task, CompletionStage<? extends T> stage, Consumer<? super T> keeper) {
        Extras mine = task.ownExtras();
        mine.stage = stage;
        mine.keeper = (Consumer<Object>) keeper;
    }

    /**
     * Goes on without a thread until {@code stage}, which the body of {@code task} has left, is complete. By the body's
     * worker.
     */
    static void await(TaskNode task, Extras mine, CompletionStage<?> stage) {
        Attempt attempt = mine.attempt;
        mine.stageBegins(stage);
        task.scope().graph.running().suspend(task);
        if (attempt != null && attempt.bodyOver(stage)) {
            cancel(task, stage);
        }
        try {
            stage.whenComplete((value, error) -> ends(task, stage, value, error));
        } catch (Throwable e) { // a stage of a class that users wrote
            ends(task, stage, null, e);
        }
    }

    private static void ends(
            TaskNode task, CompletionStage<?> stage, @Nullable Object value, @Nullable Throwable error) {
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        if (Objects.requireNonNull(task.extras()).stageEnds(stage, value, cause)) {
            task.scope().graph.running().resume(task);
            task.scope().domain.dispatcher.ready(new ResumeNode(task));
        }
    }

    /** Asks the stage of a task whose graph was cancelled to end: no other try follows this one. Any thread. */
    static void cancel(TaskNode task) {
        CompletionStage<?> stage = Objects.requireNonNull(task.extras()).stage;
        if (stage != null) {
            cancel(task, stage);
        }
    }

    /**
     * Asks the stage of a try to end, if the stage has a way to do so: the time limit passed, or the graph was
     * cancelled, before the stage was complete. Any thread.
     */
    static void cancel(TaskNode task, CompletionStage<?> stage) {
        Extras mine = Objects.requireNonNull(task.extras());
        try {
            CompletableFuture<?> future = stage.toCompletableFuture();
            if (mine.abandons || hasOwnCancel(future)) {
                future.cancel(true);
            }
        } catch (Throwable e) { // from users' code: the other tasks are to be cancelled too
            LOG.log(Level.WARNING, "what task \"" + task.name() + "\" waits for cannot be cancelled", e);
        }
        if (mine.abandons) {
            ends(
                    task,
                    stage,
                    null,
                    new CancellationException("the stage of task \"" + task.name() + "\" was abandoned"));
        }
    }

    /**
     * Returns true if the class of {@code future} overrides {@code cancel}. The method of {@link CompletableFuture}
     * itself stops nothing: it completes the future, and the work behind the future goes on.
     */
    private static boolean hasOwnCancel(CompletableFuture<?> future) throws NoSuchMethodException {
        return future.getClass().getMethod("cancel", boolean.class).getDeclaringClass() != CompletableFuture.class;
    }

    /** Describes what the task waits for, for messages; null if the task does not wait. Any thread. */
    static @Nullable String whereabouts(TaskNode task) {
        Extras mine = task.extras();
        CompletionStage<?> stage = mine == null ? null : mine.stage;
        if (mine == null || stage == null) {
            return null;
        }
        if (stage instanceof DrivenFunction<?> driven) {
            return "its function " + driven.whereabouts();
        }
        TargetSelection route = mine.route;
        return route == null ? "its stage is not complete" : "its kernel runs on " + route.where();
    }

    /** Goes on with a task whose stage is complete, or was given up. By a worker. */
    static void over(TaskNode task, WorkerContext context) {
        Extras mine = Objects.requireNonNull(task.extras());
        task.runBy(context.index());
        mine.stage = null;
        if (mine.stageError == null) {
            keep(mine);
        }
        SlowPath.attemptOver(task, context, mine.stageError, mine);
    }

    @SuppressWarnings("NullAway") // a result may be null
    private static void keep(Extras mine) {
        Objects.requireNonNull(mine.keeper).accept(mine.stageValue);
    }
}
