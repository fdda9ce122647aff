package dev.jacquard.core.testing.loop;

import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import java.lang.foreign.MemorySegment;

/** What tasks, and the loop that they are compared with, do to vectors of 64-bit integers. */
final class Elements {
    private Elements() {}

    /** An array as memory without gaps. */
    static Memory of(long[] cells, Layout shape) {
        return new Memory(
                MemorySegment.ofArray(cells),
                Layout.of(DataType.INT64, shape.box().extents()));
    }

    /** Folds elements in their order into {@code start}. */
    static long fold(Memory read, long start) {
        long fold = start;
        for (long i = 0; i < read.extent(0); i++) {
            fold = fold * 31 + read.getLong(i);
        }
        return fold;
    }

    /** What a task writes: of the old value if it updates, of what it has read, of itself, and of the place. */
    static long mixed(boolean updates, long old, long fold, long number, long ordinal) {
        return (updates ? old * 31 : 0) + fold * 7 + number + ordinal * 1_000_003;
    }

    /** Writes that into all elements. */
    static void mix(Memory written, boolean updates, long fold, long number) {
        for (long i = 0; i < written.extent(0); i++) {
            written.setLong(i, mixed(updates, written.getLong(i), fold, number, i));
        }
    }
}
