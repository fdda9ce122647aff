package dev.jacquard.flow.memory;

import dev.jacquard.memory.data.Data;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A memory edge with buffers of different sizes: each take states its size, and both the number of lent buffers and
 * their bytes together are bounded. A buffer is allocated when it is taken and freed when it is released.
 *
 * <p>A task declares the largest number of buffers, and the largest number of bytes, that its body takes for each item.
 * It is run once both are granted, in the order in which the items came into the graph.
 *
 * <p>Threads: confined to the thread that builds the graph, constant afterwards.
 *
 * @param <T> the type of a buffer
 */
public final class SizedEdge<T> extends MemoryEdge<T> {
    private final long bytes;
    /** Null if the session makes data by the layouts that takes state. */
    private final @Nullable SizedAllocator<T> sized;

    private long smallestBytes;

    private SizedEdge(String name, int size, long bytes, Allocator<T> frees, @Nullable SizedAllocator<T> sized) {
        super(name, size, frees);
        this.bytes = bytes;
        this.sized = sized;
        dynamic();
    }

    /** Creates an edge of at most {@code size} buffers with at most {@code bytes} together. For the graph builder. */
    public static <T> SizedEdge<T> of(String name, int size, long bytes, SizedAllocator<T> allocator) {
        return new SizedEdge<>(name, size, bytes, new Frees<>(name, allocator), allocator);
    }

    /** Creates an edge of data that the session makes, by the layout that each take states. For the graph builder. */
    public static SizedEdge<Data> ofData(String name, int size, long bytes) {
        return new SizedEdge<>(name, size, bytes, ofSession(name), null);
    }

    /**
     * States the smallest number of buffers, and of bytes, that is enough for one item after the other; the rest is
     * lent to younger items ahead of elder ones. See {@link MemoryEdge#atLeast}.
     */
    public SizedEdge<T> atLeast(int buffers, long ofBytes, String why) {
        smallestBytes = ofBytes;
        super.atLeast(buffers, why);
        return this;
    }

    /** States the smallest number of buffers alone; then no bytes are lent out of turn. */
    @Override
    public SizedEdge<T> atLeast(int buffers, String why) {
        return atLeast(buffers, bytes, why);
    }

    @Override
    public SizedEdge<T> takenOutside() {
        super.takenOutside();
        return this;
    }

    @Override
    public SizedEdge<T> releasedOutside() {
        super.releasedOutside();
        return this;
    }

    /** Returns the number of bytes that all lent buffers together may have. */
    public long bytes() {
        return bytes;
    }

    /** Returns the smallest number of bytes that is enough, as {@link #atLeast} stated; 0 if none was stated. */
    public long smallestBytes() {
        return smallestBytes;
    }

    /** Returns true if the session makes the buffers, as data of the layouts that takes state. */
    public boolean lendsData() {
        return sized == null;
    }

    /**
     * Returns the allocator of the buffers.
     *
     * @throws NullPointerException if the edge lends data
     */
    public SizedAllocator<T> sizedAllocator() {
        return Objects.requireNonNull(sized, "allocator");
    }

    /**
     * Makes and frees the buffers of a sized memory edge.
     *
     * <p>Threads: the threads that take and release buffers call it, several at once.
     *
     * @param <T> the type of a buffer
     */
    @FunctionalInterface
    public interface SizedAllocator<T> {
        /** Returns a new buffer of {@code bytes} bytes. */
        T allocate(long bytes) throws Exception;

        /** Frees a buffer. Does nothing unless overridden: the garbage collector is enough. */
        default void free(T buffer) throws Exception {}
    }

    /** Frees buffers of a sized allocator. */
    private record Frees<T>(String edge, SizedAllocator<T> sized) implements Allocator<T> {
        @Override
        public T allocate() {
            throw new IllegalStateException("memory edge \"" + edge + "\" lends buffers by size");
        }

        @Override
        public void free(T buffer) throws Exception {
            sized.free(buffer);
        }
    }
}
