package dev.jacquard.cluster.communicator;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Elements of one primitive type in memory: the content of a message, or the place for one. They lie in blocks of
 * {@link #blockLength} neighbours; first elements of blocks are {@link #stride} elements apart; a single block is plain
 * contiguous memory. There may be more than 2<sup>31</sup> of them.
 *
 * <pre>{@code
 * Elements.of(array)                           // all of a double[]
 * Elements.of(array).slice(10, 5)              // the elements 10 to 14
 * Elements.of(matrix).blocks(rows, 1, columns) // the first column of a matrix that is stored by rows
 * }</pre>
 *
 * <p>Immutable; the memory belongs to the caller, who must not change it until an operation on it is over.
 */
public final class Elements {
    /** Bytes that pass from blocks to other blocks at a time. */
    private static final long PART = 64 << 10;

    private final MemorySegment memory;
    private final ValueLayout type;
    private final long blocks;
    private final long blockLength;
    private final long stride;

    private Elements(MemorySegment memory, ValueLayout type, long blocks, long blockLength, long stride) {
        this.memory = memory;
        this.type = type;
        this.blocks = blocks;
        this.blockLength = blockLength;
        this.stride = stride;
    }

    /** The elements of an array. */
    public static Elements of(byte... array) {
        return of(MemorySegment.ofArray(array), ValueLayout.JAVA_BYTE);
    }

    /** The elements of an array. */
    public static Elements of(short... array) {
        return of(MemorySegment.ofArray(array), ValueLayout.JAVA_SHORT);
    }

    /** The elements of an array. */
    public static Elements of(char... array) {
        return of(MemorySegment.ofArray(array), ValueLayout.JAVA_CHAR);
    }

    /** The elements of an array. */
    public static Elements of(int... array) {
        return of(MemorySegment.ofArray(array), ValueLayout.JAVA_INT);
    }

    /** The elements of an array. */
    public static Elements of(long... array) {
        return of(MemorySegment.ofArray(array), ValueLayout.JAVA_LONG);
    }

    /** The elements of an array. */
    public static Elements of(float... array) {
        return of(MemorySegment.ofArray(array), ValueLayout.JAVA_FLOAT);
    }

    /** The elements of an array. */
    public static Elements of(double... array) {
        return of(MemorySegment.ofArray(array), ValueLayout.JAVA_DOUBLE);
    }

    /** No elements, for a rank that contributes none, or gets none. */
    public static Elements none() {
        return of(MemorySegment.NULL, ValueLayout.JAVA_BYTE);
    }

    /**
     * All elements of a type in a segment, in the byte order of the machine.
     *
     * @param type the layout of an element; its alignment does not matter
     * @throws IllegalArgumentException if the segment is no whole number of elements, or the type is none of
     *     {@code byte}, {@code short}, {@code char}, {@code int}, {@code long}, {@code float} and {@code double}
     */
    public static Elements of(MemorySegment memory, ValueLayout type) {
        ValueLayout its = ElementTypes.require(type);
        long bytes = memory.byteSize();
        if (bytes % its.byteSize() != 0) {
            throw new IllegalArgumentException("a segment of " + bytes + " bytes is no whole number of elements of "
                    + its.byteSize() + " bytes (" + its.carrier() + ")");
        }
        long count = bytes / its.byteSize();
        return new Elements(memory, its, 1, count, count);
    }

    /**
     * A range of these elements, which must be contiguous.
     *
     * @throws IndexOutOfBoundsException if it is not within these
     */
    public Elements slice(long from, long count) {
        requireContiguous("a slice");
        Objects.checkFromIndexSize(from, count, blockLength);
        return new Elements(memory.asSlice(from * type.byteSize(), count * type.byteSize()), type, 1, count, count);
    }

    /**
     * Parts of these elements, which must be contiguous, one after the other.
     *
     * @param counts the number of elements of each part
     * @throws IllegalArgumentException if they are more than these
     */
    public List<Elements> split(long... counts) {
        List<Elements> parts = new ArrayList<>(counts.length);
        long from = 0;
        for (long count : counts) {
            if (count < 0 || count > count() - from) {
                throw new IllegalArgumentException("parts of " + Arrays.toString(counts) + " elements, and " + this
                        + " are all: expected no more than these");
            }
            parts.add(slice(from, count));
            from += count;
        }
        return parts;
    }

    /**
     * Parts of these elements, which must be contiguous, with the same number of elements each.
     *
     * @throws IllegalArgumentException if that leaves a rest
     */
    public List<Elements> splitEvenly(int parts) {
        if (parts < 1 || count() % parts != 0) {
            throw new IllegalArgumentException(
                    this + " have no " + parts + " equal parts; give the number of elements of each part");
        }
        long[] counts = new long[parts];
        Arrays.fill(counts, count() / parts);
        return split(counts);
    }

    /**
     * Blocks of these elements, which must be contiguous.
     *
     * @param blocks the number of blocks
     * @param blockLength of each, in elements
     * @param stride from the first element of a block to that of the next one, in elements
     * @throws IllegalArgumentException if a number is negative, or the blocks overlap
     * @throws IndexOutOfBoundsException if they are not within these
     */
    public Elements blocks(long blocks, long blockLength, long stride) {
        requireContiguous("blocks");
        if (blocks < 0 || blockLength < 0 || stride < blockLength) {
            throw new IllegalArgumentException("blocks: " + blocks + " of " + blockLength + " elements, " + stride
                    + " apart; expected no negative number, and a stride of at least the length");
        }
        if (blocks > 0) {
            long all = Math.addExact(Math.multiplyExact(blocks - 1, stride), blockLength);
            Objects.checkFromIndexSize(0, all, this.blockLength);
        }
        boolean isOne = blocks <= 1 || stride == blockLength;
        return isOne ? slice(0, blocks * blockLength) : new Elements(memory, type, blocks, blockLength, stride);
    }

    private void requireContiguous(String part) {
        if (!isContiguous()) {
            throw new IllegalArgumentException(part + " of " + this + ": expected contiguous elements");
        }
    }

    /** Returns true if there is one block. */
    public boolean isContiguous() {
        return blocks == 1;
    }

    /** Returns the memory, from the first element on. */
    public MemorySegment memory() {
        return memory;
    }

    /** Returns the layout of an element, without alignment. */
    public ValueLayout type() {
        return type;
    }

    /** Returns the number of elements in all blocks. */
    public long count() {
        return blocks * blockLength;
    }

    /** Returns the number of bytes of all elements. */
    public long byteSize() {
        return count() * type.byteSize();
    }

    /** Returns the number of blocks. */
    public long blocks() {
        return blocks;
    }

    /** Returns the number of elements of each block. */
    public long blockLength() {
        return blockLength;
    }

    /** Returns the distance from a block to the next one, in elements. */
    public long stride() {
        return stride;
    }

    /**
     * Copies bytes into these elements, from the first one on.
     *
     * @param bytes at most as many as these have
     */
    public void fill(MemorySegment bytes) {
        fill(0, bytes);
    }

    /**
     * Copies bytes into a range of these elements.
     *
     * @param from the bytes of these elements before the range
     * @param bytes at most as many as follow there
     */
    public void fill(long from, MemorySegment bytes) {
        copy(from, bytes, bytes.byteSize(), true);
    }

    /**
     * Copies all elements out, one after the other.
     *
     * @param bytes the place for them
     */
    public void copyTo(MemorySegment bytes) {
        copy(0, bytes, byteSize(), false);
    }

    /**
     * Copies a range of these elements out.
     *
     * @param from the bytes of these elements before the range
     * @param bytes the place for them, of the size of the range
     */
    public void copyTo(long from, MemorySegment bytes) {
        copy(from, bytes, bytes.byteSize(), false);
    }

    private void copy(long from, MemorySegment bytes, long count, boolean into) {
        if (count == 0) {
            return;
        }
        long length = blockLength * type.byteSize();
        long place = from / length * stride * type.byteSize();
        long before = from % length;
        for (long at = 0; at < count; place += stride * type.byteSize()) {
            long part = Math.min(length - before, count - at);
            if (into) {
                MemorySegment.copy(bytes, at, memory, place + before, part);
            } else {
                MemorySegment.copy(memory, place + before, bytes, at, part);
            }
            at += part;
            before = 0;
        }
    }

    /** Copies all elements to the first of others, which may lie in other blocks. */
    public void copyTo(Elements others) {
        if (isContiguous()) {
            others.fill(memory.asSlice(0, byteSize()));
        } else if (others.isContiguous()) {
            copyTo(others.memory);
        } else {
            MemorySegment part = MemorySegment.ofArray(new byte[(int) Math.min(byteSize(), PART)]);
            for (long at = 0; at < byteSize(); at += part.byteSize()) {
                MemorySegment its = part.asSlice(0, Math.min(part.byteSize(), byteSize() - at));
                copyTo(at, its);
                others.fill(at, its);
            }
        }
    }

    /** Returns their number and type, and how they lie: {@code 12 double elements}. */
    @Override
    public String toString() {
        return count() + " " + type.carrier() + (count() == 1 ? " element" : " elements")
                + (isContiguous() ? "" : " in blocks of " + blockLength + ", " + stride + " apart");
    }
}
