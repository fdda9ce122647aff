package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.device.CopyShape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Host memory off the heap, aligned to cache lines. Memory that is given back is kept for a replica of the same size,
 * up to the limit: memory from the system costs a page fault per page, and its return a handshake with all threads.
 *
 * <p>All of some data that has no home lies here as its own layout says, gaps included; parts lie without gaps, and so
 * do copies of what has a home.
 */
final class HostSpace extends Space {
    private final KeptMemory<Block> kept =
            new KeptMemory<>(block -> block.arena().close());

    private record Block(Arena arena, MemorySegment segment) {}

    /** The blocks in use, by address. */
    private final Map<Long, Block> inUse = new HashMap<>();

    HostSpace(long limit) {
        super("host", limit, true, 1, Integer.MAX_VALUE);
    }

    @Override
    Layout layout(DataNeed need) {
        return isLaidOut(need) ? need.data().layout() : super.layout(need);
    }

    @Override
    long bytes(DataNeed need) {
        return isLaidOut(need) && !need.isNone() ? need.data().layout().bytes() : super.bytes(need);
    }

    /** Returns true if a replica for {@code need} lies as the layout of its data says. */
    private static boolean isLaidOut(DataNeed need) {
        Data data = need.data();
        return data.isPadded() && need.box().equals(data.box());
    }

    @Override
    Object allocate(Layout layout) {
        long bytes = layout.bytes();
        Block block = kept.take(bytes);
        if (block == null) {
            kept.shrink(limit - used - bytes); // what is kept counts against the limit, too
            Arena arena = Arena.ofShared();
            block = new Block(arena, arena.allocate(bytes, Layout.ALIGNMENT));
        }
        inUse.put(block.segment().address(), block);
        return block.segment();
    }

    @Override
    void free(Object memory) {
        Block block = inUse.remove(((MemorySegment) memory).address());
        if (block != null) {
            kept.give(block.segment().byteSize(), block, peak);
        }
    }

    @Override
    TransferPath fromHost() {
        return HostSpace::copy;
    }

    @Override
    TransferPath toHost() {
        return HostSpace::copy;
    }

    @Override
    TransferPath pathFrom(Space other) {
        return other.toHost();
    }

    @Override
    TransferPath pathTo(Space other) {
        return other.fromHost();
    }

    /** Copies at once. */
    private static void copy(
            Object from, Object to, List<CopyShape> shapes, boolean careful, Consumer<@Nullable Throwable> then) {
        Throwable error = null;
        try {
            Shapes.copy((MemorySegment) from, (MemorySegment) to, shapes);
        } catch (RuntimeException e) {
            error = e;
        }
        then.accept(error);
    }

    /** Does nothing: the device that was to be read has failed, not host memory. */
    @Override
    void failed(Throwable error) {}

    @Override
    void close() {
        kept.shrink(0);
        inUse.values().forEach(block -> block.arena().close());
        inUse.clear();
    }
}
