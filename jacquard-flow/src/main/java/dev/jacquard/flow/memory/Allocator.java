package dev.jacquard.flow.memory;

/**
 * Makes and frees the buffers of a memory edge.
 *
 * <p>Threads: a static edge allocates on the thread that starts the run and frees on the thread that closes it. A
 * static edge recycles, and a dynamic edge allocates and frees, on the threads that take and release buffers, several
 * at once.
 *
 * @param <T> the type of a buffer
 */
@FunctionalInterface
public interface Allocator<T> {
    /** Returns a new buffer. */
    T allocate() throws Exception;

    /**
     * Called when a buffer of a static edge is free and may be lent again; its contents are no longer needed. Does
     * nothing unless overridden.
     */
    default void recycle(T buffer) throws Exception {}

    /**
     * Frees a buffer that {@link #allocate} returned. Does nothing unless overridden: the garbage collector is enough.
     */
    default void free(T buffer) throws Exception {}
}
