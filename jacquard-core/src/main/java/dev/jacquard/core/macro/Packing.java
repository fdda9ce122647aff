package dev.jacquard.core.macro;

import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import java.lang.foreign.MemorySegment;

/** Copies of elements between memory of any layout and memory without gaps, in the order of the indices. */
final class Packing {
    private Packing() {}

    /** Copies the elements of {@code from} to {@code to}, from byte {@code at} on. */
    static void pack(Memory from, MemorySegment to, long at) {
        long _ = rows(from, 0, 0, to, at, true);
    }

    /** Copies the elements at byte {@code at} of {@code from}, and after, to {@code to}. */
    static void unpack(MemorySegment from, long at, Memory to) {
        long _ = rows(to, 0, 0, from, at, false);
    }

    /** Copies the elements from that dimension on. Returns the byte in {@code packed} after them. */
    private static long rows(Memory memory, int dimension, long offset, MemorySegment packed, long at, boolean packs) {
        Layout layout = memory.layout();
        int size = layout.type().bytes();
        boolean isRun = dimension == layout.dimensions() - 1 && layout.stride(dimension) == 1;
        if (isRun || (dimension == 0 && layout.isPacked())) {
            long bytes = (isRun ? layout.extent(dimension) : layout.elements()) * size;
            copy(memory.segment(), offset, packed, at, bytes, packs);
            return at + bytes;
        }
        long next = at;
        for (long i = 0; i < layout.extent(dimension); i++) {
            long there = offset + i * layout.stride(dimension) * size;
            if (dimension < layout.dimensions() - 1) {
                next = rows(memory, dimension + 1, there, packed, next, packs);
            } else {
                copy(memory.segment(), there, packed, next, size, packs);
                next += size;
            }
        }
        return next;
    }

    private static void copy(
            MemorySegment memory, long offset, MemorySegment packed, long at, long bytes, boolean packs) {
        if (packs) {
            MemorySegment.copy(memory, offset, packed, at, bytes);
        } else {
            MemorySegment.copy(packed, at, memory, offset, bytes);
        }
    }
}
