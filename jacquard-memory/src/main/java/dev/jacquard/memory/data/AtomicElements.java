package dev.jacquard.memory.data;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** Elements in host memory that tasks which declared that they add change at the same time. */
sealed interface AtomicElements permits Memory {
    /** Aligned, so that elements can be changed atomically. */
    VarHandle ATOMIC_DOUBLE = ValueLayout.JAVA_DOUBLE.varHandle();

    VarHandle ATOMIC_FLOAT = ValueLayout.JAVA_FLOAT.varHandle();
    VarHandle ATOMIC_LONG = ValueLayout.JAVA_LONG.varHandle();
    VarHandle ATOMIC_INT = ValueLayout.JAVA_INT.varHandle();

    /** The memory from the first element to the end of the last, gaps included. */
    MemorySegment segment();

    /** The places of the elements in the memory. */
    Layout layout();

    /**
     * Adds to the element at {@code index} of a vector of doubles, atomically: for tasks that declared that they add.
     *
     * @throws IllegalArgumentException when the element does not lie at a multiple of its size, as in a user's
     *     {@code byte[]}
     */
    default void addDouble(long index, double summand) {
        long at = Indices.at(layout(), DataType.FLOAT64, index) * Double.BYTES;
        double old;
        try {
            do {
                old = (double) ATOMIC_DOUBLE.getVolatile(segment(), at);
            } while (!ATOMIC_DOUBLE.weakCompareAndSet(segment(), at, old, old + summand));
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout(), e, index);
        }
    }

    /** Adds to the element of a matrix of doubles, as {@link #addDouble(long, double)} does. */
    default void addDouble(long row, long column, double summand) {
        addDouble(Indices.at(layout(), DataType.FLOAT64, row, column), summand);
    }

    /** Adds to the element of a vector of floats, as {@link #addDouble(long, double)} does. */
    default void addFloat(long index, float summand) {
        long at = Indices.at(layout(), DataType.FLOAT32, index) * Float.BYTES;
        float old;
        try {
            do {
                old = (float) ATOMIC_FLOAT.getVolatile(segment(), at);
            } while (!ATOMIC_FLOAT.weakCompareAndSet(segment(), at, old, old + summand));
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout(), e, index);
        }
    }

    /** Adds to the element of a matrix of floats, as {@link #addDouble(long, double)} does. */
    default void addFloat(long row, long column, float summand) {
        addFloat(Indices.at(layout(), DataType.FLOAT32, row, column), summand);
    }

    /** Adds to the element of a vector of longs, as {@link #addDouble(long, double)} does. */
    default void addLong(long index, long summand) {
        try {
            ATOMIC_LONG.getAndAdd(segment(), Indices.at(layout(), DataType.INT64, index) * Long.BYTES, summand);
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout(), e, index);
        }
    }

    /** Adds to the element of a matrix of longs, as {@link #addDouble(long, double)} does. */
    default void addLong(long row, long column, long summand) {
        addLong(Indices.at(layout(), DataType.INT64, row, column), summand);
    }

    /** Adds to the element of a vector of ints, as {@link #addDouble(long, double)} does. */
    default void addInt(long index, int summand) {
        try {
            ATOMIC_INT.getAndAdd(segment(), Indices.at(layout(), DataType.INT32, index) * Integer.BYTES, summand);
        } catch (IndexOutOfBoundsException e) {
            throw Indices.beyond(layout(), e, index);
        }
    }

    /** Adds to the element of a matrix of ints, as {@link #addDouble(long, double)} does. */
    default void addInt(long row, long column, int summand) {
        addInt(Indices.at(layout(), DataType.INT32, row, column), summand);
    }
}
