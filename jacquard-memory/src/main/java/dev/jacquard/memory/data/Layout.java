package dev.jacquard.memory.data;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/**
 * The places of the elements of an n-dimensional block of memory: the last dimension varies fastest and is contiguous.
 * Immutable.
 *
 * <p>A vector has one dimension, a matrix two (rows, columns) with a leading dimension, a field any number.
 */
public final class Layout {
    private final ElementType type;
    private final long[] extents;
    /** Elements from one index of a dimension to the next. */
    private final long[] strides;

    private Layout(ElementType type, long[] extents, long[] strides) {
        this.type = type;
        this.extents = extents;
        this.strides = strides;
    }

    /**
     * Elements without gaps.
     *
     * @param extents how many in each dimension, at least 1
     */
    public static Layout of(ElementType type, long... extents) {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(extents, "extents");
        return countable(type, checked(extents));
    }

    /**
     * A matrix whose rows begin {@code leadingDimension} elements apart.
     *
     * @throws IllegalArgumentException when that is less than a row
     */
    public static Layout matrix(ElementType type, long rows, long columns, long leadingDimension) {
        Objects.requireNonNull(type, "type");
        if (leadingDimension < columns) {
            throw new IllegalArgumentException("the leading dimension of a matrix of " + rows + " x " + columns
                    + " must be at least " + columns + ", not " + leadingDimension);
        }
        return new Layout(type, checked(new long[] {rows, columns}), new long[] {leadingDimension, 1});
    }

    /** The layout without gaps, if its bytes can be counted. */
    private static Layout countable(ElementType type, long[] extents) {
        try {
            Layout layout = new Layout(type, extents, packedStrides(extents));
            layout.bytes();
            return layout;
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "data of " + Arrays.toString(extents) + " elements has more bytes than can be counted", e);
        }
    }

    private static long[] checked(long[] extents) {
        if (extents.length == 0 || Arrays.stream(extents).anyMatch(extent -> extent < 1)) {
            throw new IllegalArgumentException(
                    "data needs at least 1 element in each dimension, not " + Arrays.toString(extents));
        }
        return extents.clone();
    }

    private static long[] packedStrides(long[] extents) {
        long[] strides = new long[extents.length];
        long stride = 1;
        for (int d = extents.length - 1; d >= 0; d--) {
            strides[d] = stride;
            stride = Math.multiplyExact(stride, extents[d]);
        }
        return strides;
    }

    /** Returns the type of the elements. */
    public ElementType type() {
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

    /** From the first byte to behind the last, gaps included. */
    public long bytes() {
        long last = 0;
        for (int d = 0; d < extents.length; d++) {
            last = Math.addExact(last, Math.multiplyExact(extents[d] - 1, strides[d]));
        }
        return Math.multiplyExact(last + 1, type.bytes());
    }

    /** Returns true if there are no gaps. */
    public boolean isPacked() {
        return bytes() == Math.multiplyExact(elements(), type.bytes());
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

    /** The elements of {@code part} where they lie here. */
    public Layout within(Box part) {
        Objects.requireNonNull(part, "part");
        return new Layout(type, part.extents(), strides);
    }

    /** Returns the layout of as many elements as {@code part} has, without gaps. */
    public Layout packed(Box part) {
        Objects.requireNonNull(part, "part");
        return of(type, part.extents());
    }

    /** Throws unless the elements are of that type: others have another size, or other bits. */
    void require(ElementType asked) {
        if (type != asked) {
            throw wrongType(asked);
        }
    }

    private IllegalStateException wrongType(ElementType asked) {
        String here = Character.toUpperCase(type.javaName().charAt(0))
                + type.javaName().substring(1);
        return new IllegalStateException(
                "the body asks for elements of type " + asked.javaName() + ", and there are " + this
                        + ": call get" + here + " and set" + here + ", or declare the data as "
                        + asked.name().toLowerCase(Locale.ROOT));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Layout layout
                && type == layout.type
                && Arrays.equals(extents, layout.extents)
                && Arrays.equals(strides, layout.strides);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * type.hashCode() + Arrays.hashCode(extents)) + Arrays.hashCode(strides);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(type.name().toLowerCase(Locale.ROOT));
        for (long extent : extents) {
            text.append(" x ").append(extent);
        }
        return text.append(isPacked() ? "" : ", with gaps").toString();
    }
}
