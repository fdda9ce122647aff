package dev.jacquard.flow.runtime;

import dev.jacquard.flow.memory.KeyedEdge;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.MemoryEdge.Allocator;
import dev.jacquard.flow.memory.SizedEdge;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of one memory edge in one run. A buffer is free, granted to an item, or lent; the three add up to the
 * size, and so do their bytes where the edge counts bytes.
 *
 * <p>Threads: all fields that are not constant are guarded by the {@link BufferGrants}.
 */
final class Pool {
    /** More slots than items on their way, however many more come back. */
    private static final int PLENTY = 1 << 30;

    final String name;
    final int size;
    /** The bytes of all buffers; 0 if the pool does not count bytes. */
    final long limit;

    /** True if the buffers are the slots of a bounded edge: see {@link Slotted}. */
    final boolean isBound;

    final boolean dynamic;
    final Allocator<Object> allocator;
    /** Makes the buffers of takes that state a size; null if these do not. */
    private final @Nullable SizedSource sized;
    /** The buffers by key; null if the edge lends none by key. */
    final @Nullable KeyedBuffers keyed;
    /** The number of the pool in its run. Written before the start. */
    int number;
    /**
     * The number of buffers that may be lent out of turn: the buffers beyond the smallest size that is enough, if one
     * was stated.
     */
    final int surplus;
    /** The number of bytes that may be lent out of turn. */
    final long surplusBytes;
    /** The lines of the stages that declare to take. Written before the start. */
    Request[] takers = {};
    /** The places of items that may still ask. Written before the start. */
    TicketSet[] before = {};
    /** The place of waiting code outside of the graph. */
    final TicketSet outside = new TicketSet("code outside of the graph", 0);

    final WaitingThreads threads = new WaitingThreads(this, outside);
    /** Free buffers of a static pool without keys. */
    final ArrayDeque<Object> values = new ArrayDeque<>();

    int free;
    /** The number of bytes that are neither granted nor lent. */
    long freeBytes;
    /** The largest ticket of an item that was granted a buffer in turn. */
    long newest;
    /** The number of buffers granted or lent out of turn. */
    int ahead;
    /** The bytes of these. */
    long aheadBytes;
    /** The number of buffers that are lent, or released while engine tasks that use them are not over. */
    int live;
    /** The bytes of these. */
    long liveBytes;
    /** The number of buffers among these that are released. */
    int returning;

    /** The most buffers that were live; of a bounded edge, the most slots that were taken. */
    int peak;

    long peakBytes;
    long taken;
    long waitNanos;

    /** Makes buffers by size. */
    @FunctionalInterface
    interface SizedSource {
        /** Returns a buffer of {@code bytes} bytes; with the layout {@code by}, if the take states one. */
        Object allocate(long bytes, @Nullable Object by) throws Exception;
    }

    /** A pool of an edge without sizes. */
    Pool(String name, MemoryEdge<?> edge, Allocator<?> allocator) {
        this(name, edge, allocator, null, false);
    }

    /** A pool of an edge with sizes. */
    Pool(String name, MemoryEdge<?> edge, Allocator<?> allocator, SizedSource sized) {
        this(name, edge, allocator, sized, false);
    }

    /** The slots of a bounded edge. */
    static Pool ofSlots(String name, MemoryEdge<?> edge) {
        return new Pool(name, edge, edge.allocator(), null, true);
    }

    @SuppressWarnings(
            "unchecked") // the handles that it lends are typed by the edge again, in Outlet.take and FlowRun.take
    private Pool(
            String name, MemoryEdge<?> edge, Allocator<?> allocator, @Nullable SizedSource sized, boolean isBound) {
        this.name = name;
        this.isBound = isBound;
        this.size = edge.size();
        this.limit = edge instanceof SizedEdge<?> its ? its.bytes() : 0;
        this.dynamic = edge.isDynamic();
        this.allocator = (Allocator<Object>) allocator;
        this.sized = sized;
        this.keyed = edge instanceof KeyedEdge<?, ?> its
                ? new KeyedBuffers(name, (KeyedEdge<Object, Object>) its, this.allocator)
                : null;
        this.surplus = edge.reason() == null ? 0 : Math.max(0, size - edge.smallest());
        this.surplusBytes = edge.reason() != null && edge instanceof SizedEdge<?> its
                ? Math.max(0, limit - its.smallestBytes())
                : 0;
        this.free = size;
        this.freeBytes = limit;
    }

    /** Returns a new buffer, of a size or layout if takes state it. */
    @SuppressWarnings("ConstantValue") // users may not check for nulls
    Object allocate(long bytes, @Nullable Object by) throws Exception {
        Object buffer = sized == null ? allocator.allocate() : sized.allocate(bytes, by);
        if (buffer == null) {
            throw new NullPointerException("the allocator of memory edge \"" + name + "\" made no buffer but null");
        }
        return buffer;
    }

    /** Throws an IllegalArgumentException if {@code taker} takes a buffer that is larger than the pool. */
    void requireFitting(long bytes, String taker) {
        if (bytes > limit) {
            throw new IllegalArgumentException(taker + " took " + bytes + " bytes of memory edge \"" + name
                    + "\", which has " + limit + ": the item is too large for its buffer; give the edge more bytes, or "
                    + "split the item");
        }
    }

    /** Allocates the buffers of a static pool. */
    void allocateAll() throws Exception {
        for (int i = 0; i < size && !dynamic; i++) {
            Object buffer = allocate(0, null);
            if (keyed == null) {
                values.add(buffer);
            } else {
                keyed.add(buffer);
            }
        }
    }

    /** Grants the requests that are in turn, since more buffers are free or another thread waits. */
    void look(GrantState state, WakeList wakes) {
        if (!state.stopped) {
            threads.look(state, wakes);
            for (Request taker : takers) {
                taker.look(state, wakes);
            }
        }
    }

    /** Returns true if {@code count} buffers of {@code bytes} bytes together are free. */
    boolean has(int count, long bytes) {
        return free >= count && freeBytes >= bytes;
    }

    /** Grants {@code count} buffers of {@code bytes} bytes together. */
    void grant(int count, long bytes, boolean outOfTurn) {
        free -= count;
        freeBytes -= bytes;
        if (isBound) {
            peak = Math.max(peak, size - free);
        }
        if (outOfTurn) {
            ahead += count;
            aheadBytes += bytes;
        }
    }

    /** Frees {@code count} granted buffers of {@code bytes} bytes together. */
    void giveBack(int count, long bytes, boolean outOfTurn) {
        grant(-count, -bytes, outOfTurn);
    }

    /** Lets producers emit without bound, since the consumer at the end of the edge has ended, and takes no item. */
    void unbind() {
        free = PLENTY;
    }

    /** Returns true if an item or a thread waits for a buffer. */
    boolean isAwaited() {
        return threads.size() > 0 || Arrays.stream(takers).anyMatch(taker -> taker.size() > 0);
    }

    /** Adds a line of text for the buffers, and for each waiter. */
    void describe(long now, List<String> lines) {
        int granted = size - free - live;
        lines.add("  " + named()
                + (isBound
                        ? ": of " + size + " slots " + Math.max(0, size - free)
                                + " taken, by items that wait at its end or are on their way there"
                        : ": of " + size + " buffers " + lent() + " lent, "
                                + (returning > 0 ? returning + " released behind tasks, " : "") + granted
                                + " granted, " + free + " free"
                                + (limit > 0 ? "; of " + limit + " bytes " + liveBytes + " lent" : "")));
        for (Request taker : takers) {
            taker.describe(now, lines);
        }
        threads.describe(now, lines);
    }

    /** Returns the name, with the kind of edge. */
    String named() {
        return (isBound ? "edge \"" : "memory edge \"") + name + '"';
    }

    /** Returns the number of free buffers, and of free bytes, as text. */
    String freeText() {
        return free + (isBound ? " slots" : "") + (limit > 0 ? " buffers and " + freeBytes + " bytes" : "");
    }

    /** Returns the number of buffers that are lent and not released. */
    int lent() {
        return live - returning;
    }

    /** Counts a loan of {@code bytes} bytes; returns its number. */
    long lend(long bytes) {
        peak = Math.max(peak, ++live);
        liveBytes += bytes;
        peakBytes = Math.max(peakBytes, liveBytes);
        return taken++;
    }

    /** Counts the end of a loan of {@code bytes} bytes. */
    void end(long bytes) {
        live--;
        liveBytes -= bytes;
    }

    /** Counts the end of all loans, with the run. */
    void endAll() {
        live = 0;
        returning = 0;
        liveBytes = 0;
    }

    /** The exception of an allocator, as one that need not be declared. An error is thrown as it is. */
    static RuntimeException unchecked(String what, Throwable problem) {
        if (problem instanceof Error error) {
            throw error;
        }
        return problem instanceof RuntimeException known
                ? known
                : new IllegalStateException(what + "\" failed: " + problem, problem);
    }
}
