package dev.jacquard.core.coherence;

import dev.jacquard.core.data.Layout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Host memory off the heap, aligned to cache lines. What is given back is kept for a replica of the same size, up to the limit, since
 * getting memory from the system costs a page fault per page, and giving it back a handshake with all threads.
 */
final class HostSpace extends Space {
    private static final int ALIGNMENT = 64;

    private final Map<Long, Deque<Block>> free = new HashMap<>();
    private long kept;

    private record Block(Arena arena, MemorySegment segment) {}

    /** Those in use, by address. */
    private final Map<Long, Block> inUse = new HashMap<>();

    HostSpace(long limit) {
        super("host", limit, true, 1, Integer.MAX_VALUE);
    }

    @Override
    Object allocate(Layout layout) {
        long bytes = layout.bytes();
        Deque<Block> known = free.get(bytes);
        Block block = known == null ? null : known.poll();
        if (block == null) {
            makeRoom(bytes);
            Arena arena = Arena.ofShared();
            block = new Block(arena, arena.allocate(bytes, ALIGNMENT));
        } else {
            kept -= bytes;
        }
        inUse.put(block.segment().address(), block);
        return block.segment();
    }

    /** What is kept counts against the limit too. */
    private void makeRoom(long asked) {
        var sizes = free.values().iterator();
        while (limit - used < kept + asked && sizes.hasNext()) {
            Deque<Block> blocks = sizes.next();
            for (Block block = blocks.poll(); block != null; block = blocks.poll()) {
                kept -= block.segment().byteSize();
                block.arena().close();
            }
            sizes.remove();
        }
    }

    @Override
    void free(Object memory) {
        Block block = inUse.remove(((MemorySegment) memory).address());
        if (block != null) {
            kept += block.segment().byteSize();
            free.computeIfAbsent(block.segment().byteSize(), any -> new ArrayDeque<>())
                    .push(block);
        }
    }

    void close() {
        free.values().forEach(blocks -> blocks.forEach(block -> block.arena().close()));
        inUse.values().forEach(block -> block.arena().close());
        free.clear();
        inUse.clear();
    }
}
