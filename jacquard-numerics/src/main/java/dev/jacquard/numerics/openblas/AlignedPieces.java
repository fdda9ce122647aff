package dev.jacquard.numerics.openblas;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Native memory that begins on a cache line, for one piece of a vector each. A piece that was given back serves the
 * next call; as many are kept as there were calls at a time, 64 at most, and the collector takes others.
 *
 * <p>Threads: any.
 */
final class AlignedPieces {
    /** A cache line, and enough for every vector instruction. */
    static final long ALIGNMENT = 64;

    /** The number of elements of a piece, which stays in the first cache together with the copied data. */
    static final int ELEMENTS = 1024;

    private static final int MOST_KEPT = 64;

    /** Guarded by this. */
    private final Deque<MemorySegment> free = new ArrayDeque<>();

    private final long bytes;

    /** Creates pieces of elements of {@code size} bytes, none yet. */
    AlignedPieces(long size) {
        this.bytes = ELEMENTS * size;
    }

    /** Returns memory that the caller alone uses. Its contents are unknown. */
    MemorySegment take() {
        MemorySegment kept = kept();
        return kept == null ? Arena.ofAuto().allocate(bytes, ALIGNMENT) : kept;
    }

    /** Takes back memory that the caller has done with. */
    synchronized void giveBack(MemorySegment piece) {
        if (free.size() < MOST_KEPT) {
            free.push(piece);
        }
    }

    private synchronized @Nullable MemorySegment kept() {
        return free.poll();
    }
}
