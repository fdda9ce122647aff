package dev.jacquard.mpi.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/**
 * Memory outside of the heap through which contents of the heap pass, used again.
 *
 * <p>Threads: any; the monitor guards the list.
 */
final class Chunks {
    private static final long BYTES = Frame.piece(Frame.IN_CHUNKS);
    /** The most that are kept while they are not in use. */
    private static final int MOST_KEPT = 16;

    private final ArrayDeque<MemorySegment> free = new ArrayDeque<>();

    /** Returns memory of at least that size. */
    MemorySegment take(long bytes) {
        if (bytes <= BYTES) {
            synchronized (this) {
                MemorySegment its = free.pollLast();
                if (its != null) {
                    return its;
                }
            }
        }
        return Arena.ofAuto().allocate(Math.max(BYTES, bytes), 64);
    }

    /** Gives memory back. */
    synchronized void giveBack(MemorySegment chunk) {
        if (chunk.byteSize() == BYTES && free.size() < MOST_KEPT) {
            free.addLast(chunk);
        }
    }
}
