package dev.jacquard.numerics.openblas;

import dev.jacquard.numerics.blas.Operand;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One checked operand of one call: {@code lines} runs of {@code length} elements, {@code stride} elements apart. A
 * matrix's lines are its rows or columns, a vector's its elements. Confined to the call.
 */
final class CheckedOperand {
    /** The elements of a line that a routine writes. */
    enum Part {
        NONE,
        ALL,
        FROM_DIAGONAL,
        TO_DIAGONAL
    }

    private final ValueLayout element;
    private final int lines;
    private final int length;
    private final Part written;
    /** The elements from one line to the next, where they are at present. */
    int stride;
    /** The place of the elements at present. */
    MemorySegment memory;
    /** The memory that the elements belong to while they are staged, and the stride there. */
    private @Nullable MemorySegment home;

    private int homeStride;

    /**
     * @param what routine and name of the operand, for messages
     * @throws IllegalArgumentException when the memory cannot hold the described operand
     */
    CheckedOperand(String what, ValueLayout element, int lines, int length, Operand<?> of, Part written) {
        Objects.requireNonNull(of, what);
        this.stride = of.stride();
        long offset = of.offset();
        MemorySegment all = of.memory();
        this.element = element;
        this.lines = lines;
        this.length = length;
        this.written = written;
        if (stride < Math.max(1, length)) {
            throw new IllegalArgumentException(what + ": the distance between its " + lines + " lines of " + length
                    + " elements must be at least " + Math.max(1, length) + ", not " + stride);
        }
        long needed = lines == 0 || length == 0 ? 0 : (lines - 1L) * stride + length;
        long present = all.byteSize() / element.byteSize();
        if (offset < 0 || (needed > 0 && needed > present - offset)) {
            throw new IllegalArgumentException(what + " is too small: " + lines + " lines of " + length + " elements, "
                    + stride + " apart, from element " + offset + " on, need " + needed + " elements there; it has "
                    + present + " in all");
        }
        if (written != Part.NONE && all.isReadOnly()) {
            throw new IllegalArgumentException(what + " is written, but its memory is read-only");
        }
        // An empty operand may lie anywhere: the blocks beyond the last one of a blocked algorithm do.
        this.memory = all.asSlice(needed == 0 ? 0 : offset * element.byteSize(), needed * element.byteSize());
    }

    boolean isNative() {
        return memory.isNative();
    }

    /** Returns true if the memory begins on a cache line, as each of its pieces then does. */
    boolean isAligned() {
        return memory.isNative() && memory.address() % AlignedPieces.ALIGNMENT == 0;
    }

    /** The number of elements of the operand, without the elements between its lines. */
    long elements() {
        return (long) lines * length;
    }

    /** The memory from a line on. */
    MemorySegment line(long line) {
        return from(line * stride);
    }

    /** The memory from the {@code elements}-th element on, counting the elements between lines. */
    MemorySegment from(long elements) {
        return memory.asSlice(elements * element.byteSize());
    }

    /** Moves the elements into native memory of {@code arena}, line to line. */
    void stage(Arena arena) {
        MemorySegment staged = arena.allocate(elements() * element.byteSize(), AlignedPieces.ALIGNMENT);
        int stagedStride = Math.max(1, length);
        for (int line = 0; line < lines; line++) {
            copy(memory, (long) line * stride, staged, (long) line * stagedStride, length);
        }
        home = memory;
        homeStride = stride;
        memory = staged;
        stride = stagedStride;
    }

    /** Writes the output of the routine, and nothing else, back to where it belongs. */
    void unstage() {
        MemorySegment to = home;
        if (to == null || written == Part.NONE) {
            return;
        }
        for (int line = 0; line < lines; line++) {
            int first = written == Part.FROM_DIAGONAL ? Math.min(line, length) : 0;
            int last = written == Part.TO_DIAGONAL ? Math.min(line + 1, length) : length;
            copy(memory, (long) line * stride + first, to, (long) line * homeStride + first, last - first);
        }
    }

    private void copy(MemorySegment from, long fromElement, MemorySegment to, long toElement, int elements) {
        long size = element.byteSize();
        if (elements > 0) { // else a line may begin where there is no memory
            MemorySegment.copy(from, fromElement * size, to, toElement * size, elements * size);
        }
    }
}
