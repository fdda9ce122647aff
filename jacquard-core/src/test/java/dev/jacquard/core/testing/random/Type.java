package dev.jacquard.core.testing.random;

import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Memory;
import java.lang.foreign.ValueLayout;

/** Types of elements; values are whole numbers that each of them holds exactly. */
enum Type {
    LONG(DataType.INT64),
    INT(DataType.INT32),
    DOUBLE(DataType.FLOAT64);

    final DataType element;

    Type(DataType element) {
        this.element = element;
    }

    /** {@code value} as this type holds it. */
    long hold(long value) {
        return this == INT ? (int) value : value;
    }

    long get(Memory memory, long at) {
        return switch (this) {
            case LONG -> memory.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, at * 8);
            case INT -> memory.segment().get(ValueLayout.JAVA_INT_UNALIGNED, at * 4);
            case DOUBLE -> (long) memory.segment().get(ValueLayout.JAVA_DOUBLE_UNALIGNED, at * 8);
        };
    }

    void set(Memory memory, long at, long value) {
        switch (this) {
            case LONG -> memory.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, at * 8, value);
            case INT -> memory.segment().set(ValueLayout.JAVA_INT_UNALIGNED, at * 4, (int) value);
            case DOUBLE -> memory.segment().set(ValueLayout.JAVA_DOUBLE_UNALIGNED, at * 8, (double) value);
        }
    }

    /** Atomically; the memory's methods take the index as in a vector. */
    void add(Memory memory, long at, long value) {
        switch (this) {
            case LONG -> memory.addLong(at, value);
            case INT -> memory.addInt(at, (int) value);
            case DOUBLE -> memory.addDouble(at, (double) value);
        }
    }
}
