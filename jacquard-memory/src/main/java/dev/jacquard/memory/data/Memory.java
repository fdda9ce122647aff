package dev.jacquard.memory.data;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * The elements in host memory that a task accesses, as its body sees them; valid while the body runs.
 *
 * <p>Each accessor is for one type of elements, and throws {@link IllegalStateException} where there are others.
 *
 * <p>Threads: as the task's accesses allow. Indices count from the first element of the part that is accessed. In
 * checking mode the accessors throw {@link IndexOutOfBoundsException} for an element that the part does not have, with
 * the name of the data; otherwise only for an element outside of the segment: one that lies between the part's rows is
 * read or written, since a comparison would cost each access.
 *
 * @param segment from the first element to the end of the last, gaps included; of all of aligned data to the end of its
 *     block
 * @param layout where in it the elements lie; the room of its block before the first is not in the segment
 */
public record Memory(MemorySegment segment, Layout layout) implements AtomicElements {
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    public Memory {
        Objects.requireNonNull(segment, "segment");
        Objects.requireNonNull(layout, "layout");
    }

    /** Returns the number of elements in {@code dimension}. */
    public long extent(int dimension) {
        return layout.extent(dimension);
    }

    /** The element at {@code index} of a vector of doubles. */
    public double getDouble(long index) {
        try {
            return segment.get(DOUBLE, Indices.at(layout, DataType.FLOAT64, index) * Double.BYTES);
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout, e, index);
        }
    }

    /** Sets the element at {@code index} of a vector of doubles. */
    public void setDouble(long index, double value) {
        try {
            segment.set(DOUBLE, Indices.at(layout, DataType.FLOAT64, index) * Double.BYTES, value);
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout, e, index);
        }
    }

    /** The element of a matrix of doubles. */
    public double getDouble(long row, long column) {
        try {
            return segment.get(DOUBLE, Indices.at(layout, DataType.FLOAT64, row, column) * Double.BYTES);
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout, e, row, column);
        }
    }

    /** Sets the element of a matrix of doubles. */
    public void setDouble(long row, long column, double value) {
        try {
            segment.set(DOUBLE, Indices.at(layout, DataType.FLOAT64, row, column) * Double.BYTES, value);
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout, e, row, column);
        }
    }

    /** The element at {@code index} of a vector of floats. */
    public float getFloat(long index) {
        try {
            return segment.get(FLOAT, Indices.at(layout, DataType.FLOAT32, index) * Float.BYTES);
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout, e, index);
        }
    }

    /** Sets the element at {@code index} of a vector of floats. */
    public void setFloat(long index, float value) {
        try {
            segment.set(FLOAT, Indices.at(layout, DataType.FLOAT32, index) * Float.BYTES, value);
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout, e, index);
        }
    }

    /** The element of a matrix of floats. */
    public float getFloat(long row, long column) {
        try {
            return segment.get(FLOAT, Indices.at(layout, DataType.FLOAT32, row, column) * Float.BYTES);
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout, e, row, column);
        }
    }

    /** Sets the element of a matrix of floats. */
    public void setFloat(long row, long column, float value) {
        try {
            segment.set(FLOAT, Indices.at(layout, DataType.FLOAT32, row, column) * Float.BYTES, value);
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout, e, row, column);
        }
    }

    /** The element at {@code index} of a vector of longs. */
    public long getLong(long index) {
        try {
            return segment.get(LONG, Indices.at(layout, DataType.INT64, index) * Long.BYTES);
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout, e, index);
        }
    }

    /** Sets the element at {@code index} of a vector of longs. */
    public void setLong(long index, long value) {
        try {
            segment.set(LONG, Indices.at(layout, DataType.INT64, index) * Long.BYTES, value);
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout, e, index);
        }
    }

    /** The element of a matrix of longs. */
    public long getLong(long row, long column) {
        try {
            return segment.get(LONG, Indices.at(layout, DataType.INT64, row, column) * Long.BYTES);
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout, e, row, column);
        }
    }

    /** Sets the element of a matrix of longs. */
    public void setLong(long row, long column, long value) {
        try {
            segment.set(LONG, Indices.at(layout, DataType.INT64, row, column) * Long.BYTES, value);
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout, e, row, column);
        }
    }

    /** The element at {@code index} of a vector of ints. */
    public int getInt(long index) {
        try {
            return segment.get(INT, Indices.at(layout, DataType.INT32, index) * Integer.BYTES);
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout, e, index);
        }
    }

    /** Sets the element at {@code index} of a vector of ints. */
    public void setInt(long index, int value) {
        try {
            segment.set(INT, Indices.at(layout, DataType.INT32, index) * Integer.BYTES, value);
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout, e, index);
        }
    }

    /** The element of a matrix of ints. */
    public int getInt(long row, long column) {
        try {
            return segment.get(INT, Indices.at(layout, DataType.INT32, row, column) * Integer.BYTES);
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout, e, row, column);
        }
    }

    /** Sets the element of a matrix of ints. */
    public void setInt(long row, long column, int value) {
        try {
            segment.set(INT, Indices.at(layout, DataType.INT32, row, column) * Integer.BYTES, value);
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout, e, row, column);
        }
    }

    /** The element at {@code index} of a vector of bytes. */
    public byte getByte(long index) {
        try {
            return segment.get(ValueLayout.JAVA_BYTE, Indices.at(layout, DataType.INT8, index));
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout, e, index);
        }
    }

    /** Sets the element at {@code index} of a vector of bytes. */
    public void setByte(long index, byte value) {
        try {
            segment.set(ValueLayout.JAVA_BYTE, Indices.at(layout, DataType.INT8, index), value);
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout, e, index);
        }
    }

    /** The element of a matrix of bytes. */
    public byte getByte(long row, long column) {
        try {
            return segment.get(ValueLayout.JAVA_BYTE, Indices.at(layout, DataType.INT8, row, column));
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout, e, row, column);
        }
    }

    /** Sets the element of a matrix of bytes. */
    public void setByte(long row, long column, byte value) {
        try {
            segment.set(ValueLayout.JAVA_BYTE, Indices.at(layout, DataType.INT8, row, column), value);
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout, e, row, column);
        }
    }

    /**
     * The elements of {@code part}, which is one of these.
     *
     * @throws IndexOutOfBoundsException if the part is not within these elements
     */
    public Memory part(Box part) {
        Objects.requireNonNull(part, "part");
        Indices.requireWithin(layout, part);
        Layout its = layout.within(part);
        return new Memory(segment.asSlice(layout.byteOffset(part), its.bytes()), its);
    }
}
