package dev.jacquard.core.testing.data;

import dev.jacquard.core.data.ElementType;
import dev.jacquard.core.data.Layout;
import dev.jacquard.core.data.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** What tasks, and the loop that they are compared with, do to 64-bit integers; in up to three dimensions. */
final class Elements {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private Elements() {}

    private interface Visitor {
        /** Element {@code ordinal} in row-major order lies there. */
        void at(long ordinal, long byteOffset);
    }

    private static void each(Layout layout, Visitor visitor) {
        int last = layout.dimensions() - 1;
        long planes = last > 1 ? layout.extent(0) : 1;
        long rows = last > 0 ? layout.extent(last - 1) : 1;
        long ordinal = 0;
        for (long plane = 0; plane < planes; plane++) {
            for (long row = 0; row < rows; row++) {
                long at = (last > 1 ? plane * layout.stride(0) : 0) + (last > 0 ? row * layout.stride(last - 1) : 0);
                for (long column = 0; column < layout.extent(last); column++) {
                    visitor.at(ordinal++, (at + column) * Long.BYTES);
                }
            }
        }
    }

    /** An array as memory without gaps. */
    static Memory of(long[] cells, Layout shape) {
        return new Memory(
                MemorySegment.ofArray(cells),
                Layout.of(ElementType.INT64, shape.box().extents()));
    }

    /** Folds elements in their order into {@code start}. */
    static long fold(Memory read, long start) {
        long[] fold = {start};
        each(
                read.layout(),
                (ordinal, at) -> fold[0] = fold[0] * 31 + read.segment().get(LONG, at));
        return fold[0];
    }

    /** What a task writes: of the old value if it updates, of what it has read, of itself, and of the place. */
    static long mixed(boolean updates, long old, long fold, long number, long ordinal) {
        return (updates ? old * 31 : 0) + fold * 7 + number + ordinal * 1_000_003;
    }

    /** Writes that into the elements before {@code end}, in their order. */
    static void mix(Memory written, boolean updates, long fold, long number, long end) {
        each(written.layout(), (ordinal, at) -> {
            if (ordinal < end) {
                long old = written.segment().get(LONG, at);
                written.segment().set(LONG, at, mixed(updates, old, fold, number, ordinal));
            }
        });
    }

    static void fill(Memory written, long value) {
        each(written.layout(), (_, at) -> written.segment().set(LONG, at, value));
    }

    /** The elements in their order. */
    static long[] copy(Memory read) {
        long[] copy = new long[Math.toIntExact(read.layout().elements())];
        each(
                read.layout(),
                (ordinal, at) -> copy[(int) ordinal] = read.segment().get(LONG, at));
        return copy;
    }

    /** Puts elements there, in their order. */
    static void put(long[] cells, Memory written) {
        each(written.layout(), (ordinal, at) -> written.segment().set(LONG, at, cells[(int) ordinal]));
    }
}
