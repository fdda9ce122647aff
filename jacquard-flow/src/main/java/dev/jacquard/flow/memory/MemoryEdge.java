package dev.jacquard.flow.memory;

import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Layout;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of buffers that some tasks take and others release: what keeps a stream within its memory.
 *
 * <p>This is the description, part of a graph; each run has buffers of its own. A task that runs on the engine's
 * workers declares what it takes, and is run only when it has both its item and its buffers. Buffers are granted in the
 * order in which the items came into the graph from outside: an item waits, whatever is free, while an elder one may
 * still ask. So a pool that is enough for one item after the other is enough for all at once. Where the smallest size
 * was stated, those beyond it are lent ahead. Buffers are lent as data handles, and a {@link ReleaseRule} says when one
 * is free again.
 *
 * <p>Threads: confined to the thread that builds the graph, constant afterwards. Source: Blattner's thesis on the
 * Hybrid Task Graph Scheduler, chapter 4.2 and 5.1 "Memory Manager".
 *
 * @param <T> the type of a buffer
 */
public final class MemoryEdge<T> {
    private final String name;
    private final int size;
    private final Allocator<T> allocator;
    /** Of data, which the session that runs the graph makes; else null. */
    private final @Nullable Layout layout;

    private boolean dynamic;
    private boolean takenOutside;
    private boolean releasedOutside;
    private int smallest = 1;
    private @Nullable String reason;

    /** For the graph builder: an edge of {@code size} buffers, allocated at the start and used again and again. */
    public MemoryEdge(String name, int size, Allocator<T> allocator) {
        this(name, size, allocator, null);
    }

    private MemoryEdge(String name, int size, Allocator<T> allocator, @Nullable Layout layout) {
        this.name = name;
        this.size = size;
        this.allocator = allocator;
        this.layout = layout;
    }

    /**
     * For the graph builder: an edge of {@code size} data, which the session that runs the graph makes: where tasks
     * need them, on devices too.
     */
    public static MemoryEdge<Data> ofData(String name, int size, Layout layout) {
        return new MemoryEdge<>(
                name,
                size,
                () -> {
                    throw new IllegalStateException("the session makes the data of memory edge \"" + name + '"');
                },
                layout);
    }

    /** Allocates a buffer when it is taken and frees it when it is released, instead of recycling. */
    public MemoryEdge<T> dynamic() {
        dynamic = true;
        return this;
    }

    /** Says that code outside of the graph takes from this edge, so that no task needs to. */
    public MemoryEdge<T> takenOutside() {
        takenOutside = true;
        return this;
    }

    /** Says that code outside of the graph releases into this edge, so that no task needs to. */
    public MemoryEdge<T> releasedOutside() {
        releasedOutside = true;
        return this;
    }

    /**
     * States the smallest pool that works for one item after the other. The graph's check compares it with the size,
     * and a run lends the buffers beyond it to younger items ahead of elder ones that are still on their way.
     *
     * @param buffers found by counting or by a dry run
     * @param why shown with the problem: "a column of tiles and its neighbours"
     */
    public MemoryEdge<T> atLeast(int buffers, String why) {
        smallest = buffers;
        reason = why;
        return this;
    }

    /** The name that messages, profiles and drawings show. */
    public String name() {
        return name;
    }

    /** How many buffers may be lent at any moment. */
    public int size() {
        return size;
    }

    /** What makes the buffers. */
    public Allocator<T> allocator() {
        return allocator;
    }

    /** The layout of the data that it lends; null when it lends what its allocator makes. */
    public @Nullable Layout layout() {
        return layout;
    }

    /** Whether buffers are allocated at each take. */
    public boolean isDynamic() {
        return dynamic;
    }

    /** Whether code outside of the graph takes. */
    public boolean isTakenOutside() {
        return takenOutside;
    }

    /** Whether code outside of the graph releases. */
    public boolean isReleasedOutside() {
        return releasedOutside;
    }

    /** The smallest size that works, as far as the builder of the graph said so; 1 otherwise. */
    public int smallest() {
        return smallest;
    }

    /** Why {@link #smallest()}, or null when nobody said so. */
    public @Nullable String reason() {
        return reason;
    }

    @Override
    public String toString() {
        return name;
    }
}
