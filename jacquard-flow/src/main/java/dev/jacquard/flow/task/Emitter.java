package dev.jacquard.flow.task;

import dev.jacquard.flow.memory.ItemResources;
import dev.jacquard.flow.pipeline.Siblings;

/**
 * Sends the items that a body or a rule makes, and takes and releases buffers.
 *
 * <p>Threads: an emitter may be used only during the call that it was passed to, by the thread of that call.
 *
 * @param <B> the type of the items that go out
 */
public interface Emitter<B> extends ItemResources {
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

    /**
     * Runs {@code then} when all tasks that were submitted for this item are over and ended well. The continuation may
     * emit, release, and submit further tasks. Items are done in any order.
     *
     * @throws IllegalStateException as in {@link #graph()}
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
