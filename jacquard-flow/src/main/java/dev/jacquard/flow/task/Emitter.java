package dev.jacquard.flow.task;

import dev.jacquard.core.graph.Tasks;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.memory.data.Handle;

/**
 * Where a body or a rule sends what it made, and gets and returns buffers.
 *
 * <p>Threads: for use during the call that it was passed to, by that thread only.
 *
 * @param <B> items that go out
 */
public interface Emitter<B> {
    /**
     * Sends {@code item} to every consumer: at once, or behind cheap items together with others, when the phase that
     * called ends, or some milliseconds later if it goes on. Never blocks.
     */
    void emit(B item);

    /** {@link #take(MemoryEdge, ReleaseRule)} of a buffer that is free at its first release. */
    default <T> Handle<T> take(MemoryEdge<T> edge) {
        return take(edge, ReleaseRule.once());
    }

    /**
     * Takes a buffer. A task that declared it has it already; a dedicated task that did not waits for one.
     *
     * @param rule says when it is free; of this loan only
     * @throws IllegalStateException when a shared task did not declare it, or took all that it declared
     * @throws java.util.concurrent.CancellationException when the run stops while this waits
     */
    <T> Handle<T> take(MemoryEdge<T> edge, ReleaseRule rule);

    /**
     * Releases a buffer once; its rule says whether it is free with that.
     *
     * @throws IllegalStateException when it was free already
     * @throws IllegalArgumentException when no memory edge of this run lent it
     */
    void release(Handle<?> buffer);

    /**
     * Where the body submits tasks to the engine, on data that a memory edge lent it, say. They order themselves by
     * their accesses among all tasks of the session, kernels run on the device that the copy is bound to, and no thread
     * waits for them: the item is done when they are. When one of them fails the run does.
     *
     * <p>The thread that opened the session, or a task, must not be waited for by the body; {@link #whenDone} goes on
     * instead.
     *
     * @throws IllegalStateException outside of {@link Body#execute} and of what goes on after it; in a rule; when the
     *     run was started on workers that are no session
     */
    Tasks graph();

    /**
     * Goes on with {@code then} when all tasks that were submitted for this item are over, and ended well. It may emit,
     * release, and submit more. Items are done in any order.
     *
     * @throws IllegalStateException like {@link #graph}
     */
    void whenDone(Continuation<B> then);

    /** Sends {@code item} when all tasks that were submitted for the current one are over; see {@link #whenDone}. */
    default void emitWhenDone(B item) {
        whenDone(out -> out.emit(item));
    }

    /** Whether the run failed or was cancelled, so that a long body may give up early. */
    boolean stopping();
}
