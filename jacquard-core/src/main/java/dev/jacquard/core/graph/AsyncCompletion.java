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
 * Asynchronous tasks, whose body only begins what they do: the task is over when the stage is that the body left, and
 * holds no worker meanwhile. The fields of {@link Extras} say who writes them.
 *
 * <p>The stage alone tells that the work behind it has ended. So a limit that passes, and a graph that is cancelled,
 * ask the stage to end, and the task waits for it: else the next task would run beside work that goes on. A task that
 * {@linkplain Extras#abandons abandons} its stage does not wait.
 */
final class AsyncCompletion {
    /** Named after what people know. */
    private static final System.Logger LOG = System.getLogger(TaskNode.class.getName());

    private AsyncCompletion() {}

    /** From the body: the task is not over before {@code stage} is, whose result goes to {@code keeper}. */
    @SuppressWarnings("unchecked") // the two are given together
    static <T extends @Nullable Object> void suspend(
            TaskNode task, CompletionStage<? extends T> stage, Consumer<? super T> keeper) {
        Extras mine = task.ownExtras();
        mine.stage = stage;
        mine.keeper = (Consumer<Object>) keeper;
    }

    /** The body of {@code task} returned, and left {@code stage}. By the body's worker. */
    static void await(TaskNode task, Extras mine, CompletionStage<?> stage) {
        Attempt attempt = mine.attempt;
        mine.stageBegins(stage);
        task.scope().graph.running().suspend(task);
        if (attempt != null && attempt.bodyOver(stage)) {
            cancel(task, stage);
        }
        try {
            stage.whenComplete((value, error) -> ends(task, stage, value, error));
        } catch (Throwable e) { // a stage that users wrote
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

    /** The graph was cancelled, so that no other try follows this one. Any thread. */
    static void cancel(TaskNode task) {
        CompletionStage<?> stage = Objects.requireNonNull(task.extras()).stage;
        if (stage != null) {
            cancel(task, stage);
        }
    }

    /**
     * The time limit passed, or the graph was cancelled, while the stage of a try was not complete: asks the stage to
     * end, if it has a way to do so. Any thread.
     */
    static void cancel(TaskNode task, CompletionStage<?> stage) {
        Extras mine = Objects.requireNonNull(task.extras());
        try {
            CompletableFuture<?> future = stage.toCompletableFuture();
            if (mine.abandons || hasOwnCancel(future)) {
                future.cancel(true);
            }
        } catch (Throwable e) { // users' code: the others are to be cancelled too
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
     * True if the class of {@code future} says itself how it is cancelled. The method of {@link CompletableFuture}
     * stops nothing: it only completes the future, while the work behind it goes on.
     */
    private static boolean hasOwnCancel(CompletableFuture<?> future) throws NoSuchMethodException {
        return future.getClass().getMethod("cancel", boolean.class).getDeclaringClass() != CompletableFuture.class;
    }

    /** Says, for people, what the task waits for; null when it does not wait. Any thread. */
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

    /** The stage is complete, or was given up. By a worker. */
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
