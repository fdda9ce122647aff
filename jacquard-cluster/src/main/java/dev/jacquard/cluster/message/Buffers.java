package dev.jacquard.cluster.message;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory for contents that are under way. Threads: any. */
public final class Buffers {
    /** From here on memory is outside of the heap: native libraries take it as it is, and it may exceed an array. */
    private static final long LARGE = 1 << 20;

    private Buffers() {}

    /** Returns memory of that size, which the garbage collector frees. */
    public static MemorySegment allocate(long bytes) {
        return bytes < LARGE
                ? MemorySegment.ofArray(new byte[(int) bytes])
                : Arena.ofAuto().allocate(bytes, 64);
    }
}
