package dev.jacquard.flow.memory;

import dev.jacquard.core.graph.Tasks;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Layout;

/**
 * The buffers and engine tasks of the item that a body works on.
 *
 * <p>Threads: may be used only during the call that it was passed to, by the thread of that call.
 */
public interface ItemResources {
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
     * @throws IllegalArgumentException if the edge lends by size or by key
     * @throws java.util.concurrent.CancellationException if the run stops while the task waits
     */
    <T> Handle<T> take(MemoryEdge<T> edge, ReleaseRule rule);

    /** Takes a buffer of {@code bytes} bytes that is free at its first release. */
    default <T> Handle<T> take(SizedEdge<T> edge, long bytes) {
        return take(edge, bytes, ReleaseRule.once());
    }

    /**
     * Takes a buffer of {@code bytes} bytes; otherwise as {@link #take(MemoryEdge, ReleaseRule)}.
     *
     * @throws IllegalStateException also if a shared task took more bytes than it declared
     * @throws IllegalArgumentException if {@code bytes} is negative, or more than the edge has; if the edge lends data
     */
    <T> Handle<T> take(SizedEdge<T> edge, long bytes, ReleaseRule rule);

    /** Takes data of the given layout that is free at its first release. */
    default Handle<Data> take(SizedEdge<Data> edge, Layout layout) {
        return take(edge, layout, ReleaseRule.once());
    }

    /**
     * Takes data of the given layout, which has {@link Layout#bytes} bytes; otherwise as {@link #take(SizedEdge, long,
     * ReleaseRule)}. It must be written before it is read.
     *
     * @throws IllegalArgumentException also if an allocator makes the buffers of the edge
     */
    Handle<Data> take(SizedEdge<Data> edge, Layout layout, ReleaseRule rule);

    /** Takes the buffer of {@code key}, in a loan that is over at the first release. */
    default <K, T> Handle<T> take(KeyedEdge<K, T> edge, K key) {
        return take(edge, key, ReleaseRule.once());
    }

    /**
     * Takes the buffer of {@code key}: the buffer that holds the key, or one that the edge's loader fills now. Other
     * holders may have the same buffer, so it must not be written. While another body loads the key, this one waits
     * with its thread.
     *
     * @param rule decides when this loan of the buffer is over
     * @throws IllegalStateException as {@link #take(MemoryEdge, ReleaseRule)}; if the loader or the policy throws, with
     *     that exception as the cause; in a loader, if the edge was not made before the loader's edge
     */
    <K, T> Handle<T> take(KeyedEdge<K, T> edge, K key, ReleaseRule rule);

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
     * {@code whenDone} instead.
     *
     * @throws IllegalStateException outside of the body's {@code execute} and its continuations; in a rule; if the run
     *     was started on workers without a session
     */
    Tasks graph();
}
