package dev.jacquard.flow.task;

import dev.jacquard.core.graph.Tasks;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.pipeline.Siblings;
import dev.jacquard.memory.data.Handle;

/**
 * Sends the items that a body or a rule makes, and takes and releases buffers.
 *
 * <p>Threads: an emitter may be used only during the call that it was passed to, by the thread of that call.
 *
 * @param <B> the type of the items that go out
 */
public interface Emitter<B> {
    /**
     * Sends {@code item} to every consumer; a task with an error handler sends it once the current item is done. A copy
     * that works through cheap items passes them on together, at the end of its batch or, if the batch takes long,
     * after some milliseconds; other items are passed on at once. Never blocks.
     *
     * @throws IllegalStateException if no edge leads from the task or rule, unless it was declared that items end there
     *     ({@code endsHere()})
     */
    void emit(B item);

    /**
     * Sends {@code item} to a copy of this graph in its pipeline, along an edge that the task or bookkeeper declared
     * ({@code sends(edge)}). The own copy is allowed. Never blocks.
     *
     * @param copy the number of the receiving copy, from 0 to {@link #copies} - 1
     * @throws IllegalArgumentException if there is no such copy
     * @throws IllegalStateException if the task or bookkeeper did not declare the edge
     */
    <T> void send(Siblings<T> edge, int copy, T item);

    /**
     * Returns the number of copies of this graph in its pipeline, which {@code edge} leads to; 1 if the graph is part
     * of no pipeline.
     *
     * @throws IllegalStateException if the task or bookkeeper did not declare the edge
     */
    int copies(Siblings<?> edge);

    /** Takes a buffer that is free at its first release: see {@link #take(MemoryEdge, ReleaseRule)}. */
    default <T> Handle<T> take(MemoryEdge<T> edge) {
        return take(edge, ReleaseRule.once());
    }

    /**
     * Takes a buffer. A task that declared the edge has its buffers already; a dedicated task that did not declare the
     * edge waits for a buffer with its thread. Until then the copy does nothing else: neither the continuations of its
     * earlier items nor items that it has taken together with this one. The body waits for ever if one of these is to
     * release the buffer.
     *
     * @param rule decides when the buffer is free; a rule is for one loan only
     * @throws IllegalStateException if a shared task did not declare the edge, or took all buffers that it declared
     * @throws java.util.concurrent.CancellationException if the run stops while the task waits
     */
    <T> Handle<T> take(MemoryEdge<T> edge, ReleaseRule rule);

    /**
     * Releases a buffer once; the rule of the loan decides whether the buffer is free now.
     *
     * @throws IllegalStateException if the buffer was free already
     * @throws IllegalArgumentException if no memory edge of this run lent the buffer
     */
    void release(Handle<?> buffer);

    /**
     * Returns the tasks of the current item. Through them the body submits tasks to the engine, for example on data
     * that a memory edge lent. The tasks are ordered by their accesses among all tasks of the session, kernels run on
     * the device that the copy is bound to, and no thread waits for the tasks: the item is done when they are over. If
     * one of them fails, the run fails, or the item is dropped if the task has an error handler.
     *
     * <p>The body must not wait for a task, nor for the thread that opened the session; it continues in
     * {@link #whenDone} instead.
     *
     * @throws IllegalStateException outside of {@link Body#execute} and its continuations; in a rule; if the run was
     *     started on workers without a session
     */
    Tasks graph();

    /**
     * Runs {@code then} when all tasks that were submitted for this item are over and ended well. The continuation may
     * emit, release, and submit further tasks. Items are done in any order.
     *
     * @throws IllegalStateException as in {@link #graph}
     */
    void whenDone(Continuation<B> then);

    /**
     * Sends {@code item} when all tasks that were submitted for the current item are over and ended well; see
     * {@link #whenDone}.
     */
    default void emitWhenDone(B item) {
        whenDone(out -> out.emit(item));
    }

    /** Returns true if the run failed or was cancelled, so that a long phase may give up early. */
    boolean stopping();

    /**
     * The rest of the work on an item, once the engine tasks that the body submitted for the item are over.
     *
     * @param <B> the type of the items that go out
     */
    @FunctionalInterface
    interface Continuation<B> {
        /**
         * Continues the phase that asked for this continuation. The same copy runs it, never while another phase of the
         * copy runs.
         */
        void run(Emitter<B> out) throws Exception;
    }
}
