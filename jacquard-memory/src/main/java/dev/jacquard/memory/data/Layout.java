package dev.jacquard.memory.data;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The places of the elements of an n-dimensional block of memory: the last dimension varies fastest and is contiguous.
 * Immutable.
 *
 * <p>A vector has one dimension, a matrix two (rows, columns) with a leading dimension, a field any number. A layout
 * can have room before the first element and after the last, its block, so that rows begin where vector units like it.
 */
public final class Layout {
    /** The boundary on which blocks of the engine's host memory, and the rows of {@link #aligned}, begin: in bytes. */
    public static final int ALIGNMENT = 64;
    /** The number of boundaries by which an aligned block can be shifted, and one more. */
    private static final int MOST_SHIFT = 64;

    private final DataType type;
    private final long[] extents;
    /** Elements from one index of a dimension to the next. */
    private final long[] strides;
    /** Elements of the block before the first. */
    private final int lead;
    /** Elements of the block after the last; more than 0 in aligned layouts alone. */
    private final int tail;

    /** The part that has the memory of this layout, if accessors are to check their indices; else null. */
    final @Nullable View checked;
    /** The type of elements for which accessors have nothing to check; null for none. */
    final @Nullable DataType unchecked;

    private Layout(DataType type, long[] extents, long[] strides, int lead, int tail) {
        this(type, extents, strides, lead, tail, null);
    }

    private Layout(DataType type, long[] extents, long[] strides, int lead, int tail, @Nullable View checked) {
        this.checked = checked;
        this.unchecked = checked == null ? type : null;
        this.type = type;
        this.extents = extents;
        this.strides = strides;
        this.lead = lead;
        this.tail = tail;
    }

    /**
     * Elements without gaps.
     *
     * @param extents how many in each dimension, at least 1
     */
    public static Layout of(DataType type, long... extents) {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(extents, "extents");
        long[] its = checked(extents);
        try {
            return counted(new Layout(type, its, strides(its, its[its.length - 1]), 0, 0));
        } catch (ArithmeticException e) {
            throw uncountable(its, e);
        }
    }

    /**
     * A matrix with rows that begin {@code leadingDimension} elements apart.
     *
     * @throws IllegalArgumentException when that is less than a row, or there are more bytes than can be counted
     */
    public static Layout matrix(DataType type, long rows, long columns, long leadingDimension) {
        Objects.requireNonNull(type, "type");
        if (leadingDimension < columns) {
            throw new IllegalArgumentException("the leading dimension of a matrix of " + rows + " x " + columns
                    + " must be at least " + columns + ", not " + leadingDimension);
        }
        long[] extents = checked(new long[] {rows, columns});
        try {
            return counted(new Layout(type, extents, new long[] {leadingDimension, 1}, 0, 0));
        } catch (ArithmeticException e) {
            throw uncountable(extents, e);
        }
    }

    /**
     * Rows of the last dimension with any distances between them: the gaps between them are no part of the data.
     *
     * @param extents how many in each dimension, at least 1
     * @param strides elements from one index of each dimension to the next; 1 in the last
     * @throws IllegalArgumentException when a row has gaps, or rows overlap
     */
    public static Layout strided(DataType type, long[] extents, long... strides) {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(extents, "extents");
        Objects.requireNonNull(strides, "strides");
        long[] its = checked(extents);
        int last = its.length - 1;
        if (strides.length != its.length || strides[last] != 1) {
            throw new IllegalArgumentException("data of " + Arrays.toString(its) + " elements has " + its.length
                    + " strides, of which the last is 1, not " + Arrays.toString(strides));
        }
        try {
            for (int d = last - 1; d >= 0; d--) {
                long least = Math.multiplyExact(its[d + 1], strides[d + 1]);
                if (strides[d] < least) {
                    throw new IllegalArgumentException("data of " + Arrays.toString(its) + " elements overlaps itself"
                            + " with strides of " + Arrays.toString(strides) + ": that of dimension " + d
                            + " is at least " + least);
                }
            }
            return counted(new Layout(type, its, strides.clone(), 0, 0));
        } catch (ArithmeticException e) {
            throw uncountable(its, e);
        }
    }

    /**
     * Rows for loops of whole vectors of {@value #ALIGNMENT} bytes. In each row, which is the last dimension, the
     * element of index {@code first} begins on a boundary of {@value #ALIGNMENT} bytes of the block. A loop from there
     * may run in whole vectors over the end of the interior, and comes into no other row; a vector that begins anywhere
     * in a row, or in the padding after a row, ends within the block. The padding holds anything, and is never copied.
     *
     * <p>It is a layout of the engine's memory, on the host, of all of the data. A replica of a part may lie there
     * without gaps, as all do on devices.
     *
     * @param first the number of ghosts at each end of a row: the index of the first element that is none
     * @param shift the number of boundaries, below 64, that the block is shifted by: rows of data that loops access
     *     together meet fewer cache conflicts when their shifts differ. Blocks of all shifts but 0 have the same size
     * @param extents how many in each dimension, ghosts included
     * @throws IllegalArgumentException when a row has nothing but ghosts, or a number is out of its range
     */
    public static Layout aligned(DataType type, long first, long shift, long... extents) {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(extents, "extents");
        long[] its = checked(extents);
        long row = its[its.length - 1];
        if (first < 0 || first > (row - 1) / 2) {
            throw new IllegalArgumentException("a row of " + row + " elements can have from 0 to " + (row - 1) / 2
                    + " ghosts at each end, not " + first);
        }
        if (shift < 0 || shift >= MOST_SHIFT) {
            throw new IllegalArgumentException("aligned data can be shifted by 0 to " + (MOST_SHIFT - 1)
                    + " boundaries of " + ALIGNMENT + " bytes, not by " + shift);
        }
        int vector = ALIGNMENT / type.bytes();
        try {
            long interior = roundUp(row - 2 * first, vector);
            long pitch = roundUp(Math.max(row, Math.addExact(first, interior)), vector);
            long lead = Math.floorMod(-first, vector) + shift * vector;
            long left = shift == 0 ? 0 : MOST_SHIFT - 1 - shift;
            long tail = pitch - row + vector + left * vector;
            return counted(new Layout(type, its, strides(its, pitch), (int) lead, (int) tail));
        } catch (ArithmeticException e) {
            throw uncountable(its, e);
        }
    }

    private static long roundUp(long count, long multiple) {
        return Math.multiplyExact(Math.ceilDiv(count, multiple), multiple);
    }

    /** Returns {@code layout}; throws {@link ArithmeticException} when its bytes cannot be counted. */
    private static Layout counted(Layout layout) {
        layout.bytes();
        return layout;
    }

    private static IllegalArgumentException uncountable(long[] extents, ArithmeticException e) {
        return new IllegalArgumentException(
                "data of " + Arrays.toString(extents) + " elements has more bytes than can be counted", e);
    }

    private static long[] checked(long[] extents) {
        if (extents.length == 0 || Arrays.stream(extents).anyMatch(extent -> extent < 1)) {
            throw new IllegalArgumentException(
                    "data needs at least 1 element in each dimension, not " + Arrays.toString(extents));
        }
        return extents.clone();
    }

    /** The strides of rows that begin {@code pitch} elements apart, without further gaps. */
    private static long[] strides(long[] extents, long pitch) {
        long[] strides = new long[extents.length];
        int last = extents.length - 1;
        strides[last] = 1;
        long stride = pitch;
        for (int d = last - 1; d >= 0; d--) {
            strides[d] = stride;
            stride = Math.multiplyExact(stride, extents[d]);
        }
        return strides;
    }

    /** Returns the type of the elements. */
    public DataType type() {
        return type;
    }

    /** Returns the number of dimensions. */
    public int dimensions() {
        return extents.length;
    }

    /** Returns the number of elements in {@code dimension}. */
    public long extent(int dimension) {
        return extents[dimension];
    }

    /** Elements from one index of {@code dimension} to the next; 1 in the last. */
    public long stride(int dimension) {
        return strides[dimension];
    }

    /** All indices. */
    public Box box() {
        return Box.whole(extents);
    }

    /** Returns the number of elements. */
    public long elements() {
        return box().elements();
    }

    /** Returns the number of elements that the block has room for before the first; 0 but in aligned layouts. */
    public long lead() {
        return lead;
    }

    /** Returns true if the layout has room around the elements: it is that of all of some aligned data. */
    public boolean isAligned() {
        return tail > 0;
    }

    /** From the first byte to the end of the last, gaps included; of an aligned layout the whole block. */
    public long bytes() {
        long last = 0;
        for (int d = 0; d < extents.length; d++) {
            last = Math.addExact(last, Math.multiplyExact(extents[d] - 1, strides[d]));
        }
        return Math.multiplyExact(Math.addExact(last, 1L + lead + tail), type.bytes());
    }

    /** Returns true if there are no gaps, and no room before the first element or after the last. */
    public boolean isPacked() {
        long stride = 1;
        for (int d = extents.length - 1; d >= 0; d--) {
            if (extents[d] > 1 && strides[d] != stride) {
                return false;
            }
            stride *= extents[d];
        }
        return lead == 0 && tail == 0;
    }

    /** Returns the place of the element at these indices, in elements from the first. */
    public long offset(long... indices) {
        Objects.requireNonNull(indices, "indices");
        long offset = 0;
        for (int d = 0; d < extents.length; d++) {
            offset += indices[d] * strides[d];
        }
        return offset;
    }

    /** Returns the place of the first element of {@code part}, in bytes from the first of all. */
    public long byteOffset(Box part) {
        Objects.requireNonNull(part, "part");
        long offset = 0;
        for (int d = 0; d < extents.length; d++) {
            offset += part.from(d) * strides[d];
        }
        return offset * type.bytes();
    }

    /**
     * The elements of {@code part} where they lie here, from the first of them on; of a slab of an aligned layout,
     * which is all of it or some of the first dimension, with as much room after the last as all of it has.
     */
    public Layout within(Box part) {
        Objects.requireNonNull(part, "part");
        View its = checked == null ? null : Indices.within(checked, part);
        return new Layout(type, part.extents(), strides, 0, isSlab(part) ? tail : 0, its);
    }

    /** Returns true if a part is made of whole rows, and of all of them along each dimension but the first. */
    private boolean isSlab(Box part) {
        for (int d = extents.length == 1 ? 0 : 1; d < extents.length; d++) {
            if (part.extent(d) != extents[d]) {
                return false;
            }
        }
        return true;
    }

    /** Returns the layout of as many elements as {@code part} has, without gaps. */
    public Layout packed(Box part) {
        Objects.requireNonNull(part, "part");
        return of(type, part.extents());
    }

    /** This layout, for memory of {@code part} with accessors that check their indices. It is equal to this one. */
    public Layout checkedFor(View part) {
        Objects.requireNonNull(part, "part");
        return new Layout(type, extents, strides, lead, tail, part);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Layout layout
                && type == layout.type
                && Arrays.equals(extents, layout.extents)
                && Arrays.equals(strides, layout.strides)
                && lead == layout.lead
                && tail == layout.tail;
    }

    @Override
    public int hashCode() {
        int places = 31 * Arrays.hashCode(extents) + Arrays.hashCode(strides);
        return 31 * (31 * (31 * type.hashCode() + places) + lead) + tail;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(type.name().toLowerCase(Locale.ROOT));
        for (long extent : extents) {
            text.append(" x ").append(extent);
        }
        if (isAligned()) {
            text.append(", aligned, with ").append(lead).append(" elements before the first and ");
            return text.append(tail).append(" after the last").toString();
        }
        return text.append(isPacked() ? "" : ", with gaps").toString();
    }
}
