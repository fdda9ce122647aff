package dev.jacquard.flow.runtime;

import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.MemoryEdge.Allocator;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;

/**
 * The buffers of one memory edge in one run. A buffer is free, granted to an item, or lent; the three add up to the
 * size.
 *
 * <p>Threads: all fields that are not constant are guarded by the {@link BufferGrants}.
 */
final class Pool {
    final String name;
    final int size;
    final boolean dynamic;
    final Allocator<Object> allocator;
    /**
     * The number of buffers that may be lent out of turn: the buffers beyond the smallest size that is enough, if one
     * was stated.
     */
    final int surplus;
    /** The lines of the stages that declare to take. Written before the start. */
    Request[] takers = {};
    /** The places of items that may still ask. Written before the start. */
    TicketSet[] before = {};
    /** The place of waiting code outside of the graph. */
    final TicketSet outside = new TicketSet("code outside of the graph", 0);

    final WaitingThreads threads = new WaitingThreads(this, outside);
    /** Free buffers of a static pool. */
    final ArrayDeque<Object> values = new ArrayDeque<>();

    int free;
    /** The number of buffers granted or lent out of turn. */
    int ahead;
    /** The number of buffers that are lent, or released while engine tasks that use them are not over. */
    int live;
    /** The number of buffers among these that are released. */
    int returning;

    int peak;
    long taken;
    long waitNanos;

    @SuppressWarnings(
            "unchecked") // the handles that it lends are typed by the edge again, in Outlet.take and FlowRun.take
    Pool(String name, MemoryEdge<?> edge, Allocator<?> allocator) {
        this.name = name;
        this.size = edge.size();
        this.dynamic = edge.isDynamic();
        this.allocator = (Allocator<Object>) allocator;
        this.surplus = edge.reason() == null ? 0 : Math.max(0, size - edge.smallest());
        this.free = size;
    }

    /** Returns a new buffer. */
    @SuppressWarnings("ConstantValue") // users may not check for nulls
    Object allocate() throws Exception {
        Object buffer = allocator.allocate();
        if (buffer == null) {
            throw new NullPointerException("the allocator of memory edge \"" + name + "\" made no buffer but null");
        }
        return buffer;
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

    /** Frees one granted buffer. */
    void giveBack(boolean outOfTurn) {
        free++;
        ahead -= outOfTurn ? 1 : 0;
    }

    /** Returns true if an item or a thread waits for a buffer. */
    boolean isAwaited() {
        return threads.size() > 0 || Arrays.stream(takers).anyMatch(taker -> taker.size() > 0);
    }

    /** Adds a line of text for the buffers, and for each waiter. */
    void describe(long now, List<String> lines) {
        int granted = size - free - live;
        lines.add("  memory edge \"" + name + "\": of " + size + " buffers " + lent() + " lent, "
                + (returning > 0 ? returning + " released behind tasks, " : "") + granted + " granted, "
                + free + " free");
        for (Request taker : takers) {
            taker.describe(now, lines);
        }
        threads.describe(now, lines);
    }

    /** Returns the number of buffers that are lent and not released. */
    int lent() {
        return live - returning;
    }

    /** Counts a loan; returns its number. */
    long lend() {
        peak = Math.max(peak, ++live);
        return taken++;
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
