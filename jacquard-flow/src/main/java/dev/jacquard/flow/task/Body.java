package dev.jacquard.flow.task;

/**
 * What one copy of a task does, in four phases: initialize, execute, terminated?, shutdown.
 *
 * <p>Threads: a task has one body per copy; the phases of one body are never at work at the same time, and each sees
 * what the ones before did. So a body needs no lock for its own fields. The thread may differ from phase to phase,
 * except in a dedicated task. A body of a shared task must not block. Whatever a phase throws fails the run.
 *
 * <p>Source: Blattner's thesis on the Hybrid Task Graph Scheduler, chapter 4.
 *
 * @param <A> items that come in
 * @param <B> items that go out
 */
@FunctionalInterface
public interface Body<A, B> {
    /** Called once, before any other phase. */
    default void initialize(CopyInfo copy) throws Exception {}

    /** Works on one item. */
    void execute(A item, Emitter<B> out) throws Exception;

    /**
     * Asked at every wake-up, before data is taken: is this copy done?
     *
     * @param inputClosed whether no producer is left and everything was taken from the queue
     */
    default boolean canTerminate(boolean inputClosed) {
        return inputClosed;
    }

    /** Called when a task that polls got no item for the time it set, or for up to twice as long. */
    default void idle(Emitter<B> out) throws Exception {}

    /**
     * Called once after {@link #initialize} succeeded, whatever happened since. What is emitted here still reaches the
     * consumers, unless the run failed or was cancelled. It is never interrupted.
     */
    default void shutdown(Emitter<B> out) throws Exception {}
}
