package dev.jacquard.memory.data;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Locale;
import java.util.Objects;

/**
 * Elements in host memory, as a body sees those that its task accesses; valid while the body runs.
 *
 * <p>Each accessor is for one type of elements, and throws {@link IllegalStateException} where there are others.
 *
 * <p>Threads: as the task's accesses allow. Indices count from the first element of the part that is accessed.
 *
 * @param segment from the first element to behind the last, gaps included
 * @param layout where in it the elements lie
 */
public record Memory(MemorySegment segment, Layout layout) {
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    /** Aligned, so that they can be changed atomically. */
    private static final VarHandle ATOMIC_DOUBLE = ValueLayout.JAVA_DOUBLE.varHandle();

    private static final VarHandle ATOMIC_FLOAT = ValueLayout.JAVA_FLOAT.varHandle();
    private static final VarHandle ATOMIC_LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle ATOMIC_INT = ValueLayout.JAVA_INT.varHandle();

    public Memory {
        Objects.requireNonNull(segment, "segment");
        Objects.requireNonNull(layout, "layout");
    }

    /** How many elements there are in {@code dimension}. */
    public long extent(int dimension) {
        return layout.extent(dimension);
    }

    /** The element at {@code index} of a vector of doubles. */
    public double getDouble(long index) {
        require(ElementType.FLOAT64);
        return segment.get(DOUBLE, index * Double.BYTES);
    }

    /** Sets the element at {@code index} of a vector of doubles. */
    public void setDouble(long index, double value) {
        require(ElementType.FLOAT64);
        segment.set(DOUBLE, index * Double.BYTES, value);
    }

    /** The element of a matrix of doubles. */
    public double getDouble(long row, long column) {
        require(ElementType.FLOAT64);
        return segment.get(DOUBLE, (row * layout.stride(0) + column) * Double.BYTES);
    }

    /** Sets the element of a matrix of doubles. */
    public void setDouble(long row, long column, double value) {
        require(ElementType.FLOAT64);
        segment.set(DOUBLE, (row * layout.stride(0) + column) * Double.BYTES, value);
    }

    /** The element at {@code index} of a vector of floats. */
    public float getFloat(long index) {
        require(ElementType.FLOAT32);
        return segment.get(FLOAT, index * Float.BYTES);
    }

    /** Sets the element at {@code index} of a vector of floats. */
    public void setFloat(long index, float value) {
        require(ElementType.FLOAT32);
        segment.set(FLOAT, index * Float.BYTES, value);
    }

    /** The element of a matrix of floats. */
    public float getFloat(long row, long column) {
        require(ElementType.FLOAT32);
        return segment.get(FLOAT, (row * layout.stride(0) + column) * Float.BYTES);
    }

    /** Sets the element of a matrix of floats. */
    public void setFloat(long row, long column, float value) {
        require(ElementType.FLOAT32);
        segment.set(FLOAT, (row * layout.stride(0) + column) * Float.BYTES, value);
    }

    /** The element at {@code index} of a vector of longs. */
    public long getLong(long index) {
        require(ElementType.INT64);
        return segment.get(LONG, index * Long.BYTES);
    }

    /** Sets the element at {@code index} of a vector of longs. */
    public void setLong(long index, long value) {
        require(ElementType.INT64);
        segment.set(LONG, index * Long.BYTES, value);
    }

    /** The element of a matrix of longs. */
    public long getLong(long row, long column) {
        require(ElementType.INT64);
        return segment.get(LONG, (row * layout.stride(0) + column) * Long.BYTES);
    }

    /** Sets the element of a matrix of longs. */
    public void setLong(long row, long column, long value) {
        require(ElementType.INT64);
        segment.set(LONG, (row * layout.stride(0) + column) * Long.BYTES, value);
    }

    /** The element at {@code index} of a vector of ints. */
    public int getInt(long index) {
        require(ElementType.INT32);
        return segment.get(INT, index * Integer.BYTES);
    }

    /** Sets the element at {@code index} of a vector of ints. */
    public void setInt(long index, int value) {
        require(ElementType.INT32);
        segment.set(INT, index * Integer.BYTES, value);
    }

    /** The element of a matrix of ints. */
    public int getInt(long row, long column) {
        require(ElementType.INT32);
        return segment.get(INT, (row * layout.stride(0) + column) * Integer.BYTES);
    }

    /** Sets the element of a matrix of ints. */
    public void setInt(long row, long column, int value) {
        require(ElementType.INT32);
        segment.set(INT, (row * layout.stride(0) + column) * Integer.BYTES, value);
    }

    /** The element at {@code index} of a vector of bytes. */
    public byte getByte(long index) {
        require(ElementType.INT8);
        return segment.get(ValueLayout.JAVA_BYTE, index);
    }

    /** Sets the element at {@code index} of a vector of bytes. */
    public void setByte(long index, byte value) {
        require(ElementType.INT8);
        segment.set(ValueLayout.JAVA_BYTE, index, value);
    }

    /** The element of a matrix of bytes. */
    public byte getByte(long row, long column) {
        require(ElementType.INT8);
        return segment.get(ValueLayout.JAVA_BYTE, row * layout.stride(0) + column);
    }

    /** Sets the element of a matrix of bytes. */
    public void setByte(long row, long column, byte value) {
        require(ElementType.INT8);
        segment.set(ValueLayout.JAVA_BYTE, row * layout.stride(0) + column, value);
    }

    /**
     * Adds to the element at {@code index} of a vector of doubles, atomically: for tasks that declared that they add.
     *
     * @throws IllegalArgumentException when the element does not lie at a multiple of its size, as in a user's
     *     {@code byte[]}
     */
    public void addDouble(long index, double summand) {
        require(ElementType.FLOAT64);
        addDoubleAt(index * Double.BYTES, summand);
    }

    /** Adds to the element of a matrix of doubles, as {@link #addDouble(long, double)} does. */
    public void addDouble(long row, long column, double summand) {
        require(ElementType.FLOAT64);
        addDoubleAt((row * layout.stride(0) + column) * Double.BYTES, summand);
    }

    private void addDoubleAt(long at, double summand) {
        double old;
        do {
            old = (double) ATOMIC_DOUBLE.getVolatile(segment, at);
        } while (!ATOMIC_DOUBLE.weakCompareAndSet(segment, at, old, old + summand));
    }

    /** Adds to the element of a vector of floats, as {@link #addDouble(long, double)} does. */
    public void addFloat(long index, float summand) {
        require(ElementType.FLOAT32);
        addFloatAt(index * Float.BYTES, summand);
    }

    /** Adds to the element of a matrix of floats, as {@link #addDouble(long, double)} does. */
    public void addFloat(long row, long column, float summand) {
        require(ElementType.FLOAT32);
        addFloatAt((row * layout.stride(0) + column) * Float.BYTES, summand);
    }

    private void addFloatAt(long at, float summand) {
        float old;
        do {
            old = (float) ATOMIC_FLOAT.getVolatile(segment, at);
        } while (!ATOMIC_FLOAT.weakCompareAndSet(segment, at, old, old + summand));
    }

    /** Adds to the element of a vector of longs, as {@link #addDouble(long, double)} does. */
    public void addLong(long index, long summand) {
        require(ElementType.INT64);
        ATOMIC_LONG.getAndAdd(segment, index * Long.BYTES, summand);
    }

    /** Adds to the element of a matrix of longs, as {@link #addDouble(long, double)} does. */
    public void addLong(long row, long column, long summand) {
        require(ElementType.INT64);
        ATOMIC_LONG.getAndAdd(segment, (row * layout.stride(0) + column) * Long.BYTES, summand);
    }

    /** Adds to the element of a vector of ints, as {@link #addDouble(long, double)} does. */
    public void addInt(long index, int summand) {
        require(ElementType.INT32);
        ATOMIC_INT.getAndAdd(segment, index * Integer.BYTES, summand);
    }

    /** Adds to the element of a matrix of ints, as {@link #addDouble(long, double)} does. */
    public void addInt(long row, long column, int summand) {
        require(ElementType.INT32);
        ATOMIC_INT.getAndAdd(segment, (row * layout.stride(0) + column) * Integer.BYTES, summand);
    }

    /** Throws unless the elements are of that type: others have another size, or other bits. */
    private void require(ElementType asked) {
        if (layout.type() != asked) {
            throw wrongType(asked);
        }
    }

    private IllegalStateException wrongType(ElementType asked) {
        String type = layout.type().javaName();
        String here = Character.toUpperCase(type.charAt(0)) + type.substring(1);
        return new IllegalStateException(
                "the body asks for elements of type " + asked.javaName() + ", and there are " + layout
                        + ": call get" + here + " and set" + here + ", or declare the data as "
                        + asked.name().toLowerCase(Locale.ROOT));
    }

    /** The elements of {@code part}, which is one of these. */
    public Memory part(Box part) {
        Objects.requireNonNull(part, "part");
        Layout its = layout.within(part);
        return new Memory(segment.asSlice(layout.byteOffset(part), its.bytes()), its);
    }
}
