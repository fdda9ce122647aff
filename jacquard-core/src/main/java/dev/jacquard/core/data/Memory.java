package dev.jacquard.core.data;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Elements in host memory, as a body sees those that its task accesses; valid while the body runs.
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

    /** How many elements there are in {@code dimension}. */
    public long extent(int dimension) {
        return layout.extent(dimension);
    }

    /** The element at {@code index} of a vector of doubles. */
    public double getDouble(long index) {
        return segment.get(DOUBLE, index * Double.BYTES);
    }

    /** Sets the element at {@code index} of a vector of doubles. */
    public void setDouble(long index, double value) {
        segment.set(DOUBLE, index * Double.BYTES, value);
    }

    /** The element of a matrix of doubles. */
    public double getDouble(long row, long column) {
        return segment.get(DOUBLE, (row * layout.stride(0) + column) * Double.BYTES);
    }

    /** Sets the element of a matrix of doubles. */
    public void setDouble(long row, long column, double value) {
        segment.set(DOUBLE, (row * layout.stride(0) + column) * Double.BYTES, value);
    }

    /** The element at {@code index} of a vector of floats. */
    public float getFloat(long index) {
        return segment.get(FLOAT, index * Float.BYTES);
    }

    /** Sets the element at {@code index} of a vector of floats. */
    public void setFloat(long index, float value) {
        segment.set(FLOAT, index * Float.BYTES, value);
    }

    /** The element at {@code index} of a vector of longs. */
    public long getLong(long index) {
        return segment.get(LONG, index * Long.BYTES);
    }

    /** Sets the element at {@code index} of a vector of longs. */
    public void setLong(long index, long value) {
        segment.set(LONG, index * Long.BYTES, value);
    }

    /** The element of a matrix of longs. */
    public long getLong(long row, long column) {
        return segment.get(LONG, (row * layout.stride(0) + column) * Long.BYTES);
    }

    /** Sets the element of a matrix of longs. */
    public void setLong(long row, long column, long value) {
        segment.set(LONG, (row * layout.stride(0) + column) * Long.BYTES, value);
    }

    /** The element at {@code index} of a vector of ints. */
    public int getInt(long index) {
        return segment.get(INT, index * Integer.BYTES);
    }

    /** Sets the element at {@code index} of a vector of ints. */
    public void setInt(long index, int value) {
        segment.set(INT, index * Integer.BYTES, value);
    }

    /** The elements of {@code part}, which is one of these. */
    public Memory part(Box part) {
        Layout its = layout.within(part);
        return new Memory(segment.asSlice(layout.byteOffset(part), its.bytes()), its);
    }
}
