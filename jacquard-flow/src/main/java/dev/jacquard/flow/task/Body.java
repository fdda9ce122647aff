package dev.jacquard.flow.task;

import dev.jacquard.base.machine.ExecutionTarget;
import org.jspecify.annotations.Nullable;

/**
 * The work of one copy of a task, in four phases: initialize, execute, terminated?, shutdown.
 *
 * <p>Threads: a task has one body per copy. The phases of one body never run at the same time, and each phase sees the
 * effects of the earlier ones, so a body needs no lock for its own fields. The thread may differ from phase to phase,
 * except in a dedicated task. A body of a shared task must not block. An exception that a phase throws fails the run;
 * an exception of {@link #execute} drops the item instead if the task has an error handler.
 *
 * <p>Source: Blattner's thesis on the Hybrid Task Graph Scheduler, chapter 4.
 *
 * @param <A> the type of the items that come in
 * @param <B> the type of the items that go out
 */
@FunctionalInterface
public interface Body<A, B> {
    /** Called once, before any other phase. */
    default void initialize(CopyInfo copy) throws Exception {}

    /** Works on one item. */
    void execute(A item, Emitter<B> out) throws Exception;

    /**
     * Returns true if this copy is done. Called at every wake-up, before items are taken.
     *
     * @param inputClosed whether no producer is left and the queue is empty
     */
    default boolean canTerminate(boolean inputClosed) {
        return inputClosed;
    }

    /** Called when a task that polls got no item for the time that the task set, or for up to twice as long. */
    default void idle(Emitter<B> out) throws Exception {}

    /**
     * Called once after {@link #initialize} succeeded, whatever happened since. Items that are emitted here still reach
     * the consumers, unless the run failed or was cancelled. This phase is never interrupted.
     */
    default void shutdown(Emitter<B> out) throws Exception {}

    /**
     * The copy of a task that a body serves.
     *
     * @param task the task's name
     * @param index the number of the copy, 0 to copies - 1
     * @param copies the number of copies of the task
     * @param pipeline the number of the copy of the graph in the innermost pipeline around the task, 0 to pipelines -
     *     1; 0 if there is no pipeline
     * @param pipelines the number of copies of the graph in that pipeline; 1 if there is no pipeline
     * @param device the device that this copy is bound to, as a separate target: one that the task names, else the
     *     device of the pipeline's copy; null if the copy is bound to none
     */
    record CopyInfo(
            String task,
            int index,
            int copies,
            int pipeline,
            int pipelines,
            @Nullable ExecutionTarget device) {}

    /**
     * A function that may throw: the work of a task that makes one thing of each item.
     *
     * <p>Threads: all copies of a task share the function, so several threads may call it at once.
     *
     * @param <A> the type of the items that come in
     * @param <R> the type of the result
     */
    @FunctionalInterface
    interface Mapping<A, R> {
        /** Returns the result for {@code item}, which must not be null. */
        R apply(A item) throws Exception;
    }

    /**
     * An action that may throw: the work of a task that emits nothing.
     *
     * <p>Threads: all copies of a task share the action, so several threads may call it at once.
     *
     * @param <A> the type of the items that come in
     */
    @FunctionalInterface
    interface Action<A> {
        /** Works on {@code item}. */
        void accept(A item) throws Exception;
    }
}
