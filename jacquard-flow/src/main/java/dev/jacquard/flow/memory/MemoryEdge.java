package dev.jacquard.flow.memory;

import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Layout;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of buffers that some tasks take and others release, which bounds the memory of a stream.
 *
 * <p>A memory edge is a description, part of a graph; each run has its own buffers. A task that runs on the engine's
 * workers declares the buffers that it takes, and is run only when it has both its item and its buffers. Buffers are
 * granted in the order in which the items came into the graph from outside: an item waits, even if buffers are free,
 * while an elder item may still ask for some. Therefore a pool that is enough for one item after the other is enough
 * for all items at once. If the smallest size is {@linkplain #atLeast stated}, buffers beyond that size are lent to
 * younger items ahead of elder ones. Buffers are lent as data handles, and a {@link ReleaseRule} decides when a buffer
 * is free again.
 *
 * <p>A {@link SizedEdge} lends buffers of the sizes that the takes state, and a {@link KeyedEdge} keeps the contents of
 * its buffers by key. An edge of {@linkplain Permit permits} has no buffers, and throttles.
 *
 * <p>Threads: confined to the thread that builds the graph, constant afterwards. Source: Blattner's thesis on the
 * Hybrid Task Graph Scheduler, chapter 4.2 and 5.1 "Memory Manager".
 *
 * @param <T> the type of a buffer
 */
public sealed class MemoryEdge<T> permits SizedEdge, KeyedEdge {
    private final String name;
    private final int size;
    private final Allocator<T> allocator;
    /** The layout of the data that the session makes as buffers; null if the allocator makes the buffers. */
    private final @Nullable Layout layout;

    private boolean dynamic;
    private boolean takenOutside;
    private boolean releasedOutside;
    private int smallest = 1;
    private @Nullable String reason;

    /**
     * Creates an edge of {@code size} buffers, which are allocated at the start of a run and reused. For the graph
     * builder.
     */
    public MemoryEdge(String name, int size, Allocator<T> allocator) {
        this(name, size, allocator, null);
    }

    /** As {@link #MemoryEdge(String, int, Allocator)}, with the layout of the data that the session makes, if any. */
    MemoryEdge(String name, int size, Allocator<T> allocator, @Nullable Layout layout) {
        this.name = name;
        this.size = size;
        this.allocator = allocator;
        this.layout = layout;
    }

    /**
     * Creates an edge of {@code size} buffers, which are data of the session that runs the graph. The session makes
     * them in the memories where tasks need them, devices included. For the graph builder.
     */
    public static MemoryEdge<Data> ofData(String name, int size, Layout layout) {
        return new MemoryEdge<>(name, size, ofSession(name), layout);
    }

    /** Returns the allocator that stands for the session, which makes the data itself. */
    static <T> Allocator<T> ofSession(String edge) {
        return () -> {
            throw new IllegalStateException("the session makes the data of memory edge \"" + edge + '"');
        };
    }

    /** Creates an edge of permits: see {@link Permit}. For the graph builder. */
    public static MemoryEdge<Permit> ofPermits(String name, int size) {
        return new MemoryEdge<>(name, size, () -> Permit.HELD).dynamic();
    }

    /** Allocates each buffer when it is taken and frees it when it is released, instead of recycling it. */
    public MemoryEdge<T> dynamic() {
        dynamic = true;
        return this;
    }

    /** Says that code outside of the graph takes from this edge, so that no task needs to take. */
    public MemoryEdge<T> takenOutside() {
        takenOutside = true;
        return this;
    }

    /** Says that code outside of the graph releases into this edge, so that no task needs to release. */
    public MemoryEdge<T> releasedOutside() {
        releasedOutside = true;
        return this;
    }

    /**
     * States the smallest pool that is enough for one item after the other. The graph's check compares this number with
     * the size, and a run lends the buffers beyond this number to younger items ahead of elder ones that are still on
     * their way.
     *
     * @param buffers the smallest number, found by counting or by a dry run
     * @param why the reason, which is shown with the problem: "a column of tiles and its neighbours"
     */
    public MemoryEdge<T> atLeast(int buffers, String why) {
        smallest = buffers;
        reason = why;
        return this;
    }

    /** Returns the name that messages, profiles and drawings show. */
    public String name() {
        return name;
    }

    /** Returns the number of buffers that may be lent at any moment. */
    public int size() {
        return size;
    }

    /** Returns the allocator of the buffers. */
    public Allocator<T> allocator() {
        return allocator;
    }

    /** Returns the layout of the data that the edge lends; null if the edge lends buffers of its allocator. */
    public @Nullable Layout layout() {
        return layout;
    }

    /** Returns true if buffers are allocated at each take. */
    public boolean isDynamic() {
        return dynamic;
    }

    /** Returns true if code outside of the graph takes buffers. */
    public boolean isTakenOutside() {
        return takenOutside;
    }

    /** Returns true if code outside of the graph releases buffers. */
    public boolean isReleasedOutside() {
        return releasedOutside;
    }

    /** Returns the smallest size that is enough, as {@link #atLeast} stated; 1 if none was stated. */
    public int smallest() {
        return smallest;
    }

    /** Returns the reason for {@link #smallest()}; null if no smallest size was stated. */
    public @Nullable String reason() {
        return reason;
    }

    @Override
    public String toString() {
        return name;
    }

    /**
     * Makes and frees the buffers of a memory edge.
     *
     * <p>Threads: a static edge allocates on the thread that starts the run and frees on the thread that closes it. A
     * static edge recycles, and a dynamic edge allocates and frees, on the threads that take and release buffers,
     * several at once.
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
         * Frees a buffer that {@link #allocate} returned. Does nothing unless overridden: the garbage collector is
         * enough.
         */
        default void free(T buffer) throws Exception {}
    }
}
