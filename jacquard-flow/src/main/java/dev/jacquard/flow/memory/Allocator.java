package dev.jacquard.flow.memory;

/**
 * Makes and frees the buffers of a memory edge.
 *
 * <p>Threads: a static edge calls it from the thread that starts and closes the run; a dynamic edge from whichever
 * thread takes or releases, several at once.
 *
 * @param <T> the type of a buffer
 */
@FunctionalInterface
public interface Allocator<T> {
    /** A new buffer. */
    T allocate() throws Exception;

    /**
     * A buffer of a static edge is free, and will be lent again: what it holds is worth nothing. Does nothing unless
     * overridden.
     */
    default void recycle(T buffer) throws Exception {}

    /** Frees a buffer that {@link #allocate} made. Does nothing unless overridden: the collector is enough. */
    default void free(T buffer) throws Exception {}
}
