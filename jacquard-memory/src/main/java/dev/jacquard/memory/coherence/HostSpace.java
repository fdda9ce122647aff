package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Layout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * Host memory off the heap, aligned to cache lines. What is given back is kept for a replica of the same size, up to
 * the limit, since getting memory from the system costs a page fault per page, and giving it back a handshake with all
 * threads.
 */
final class HostSpace extends Space {
    private static final int ALIGNMENT = 64;

    private final KeptMemory<Block> kept =
            new KeptMemory<>(block -> block.arena().close());

    private record Block(Arena arena, MemorySegment segment) {}

    /** Those in use, by address. */
    private final Map<Long, Block> inUse = new HashMap<>();

    HostSpace(long limit) {
        super("host", limit, true, 1, Integer.MAX_VALUE);
    }

    @Override
    Object allocate(Layout layout) {
        long bytes = layout.bytes();
        Block block = kept.take(bytes);
        if (block == null) {
            kept.shrink(limit - used - bytes); // it counts against the limit too
            Arena arena = Arena.ofShared();
            block = new Block(arena, arena.allocate(bytes, ALIGNMENT));
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

    void close() {
        kept.shrink(0);
        inUse.values().forEach(block -> block.arena().close());
        inUse.clear();
    }
}
