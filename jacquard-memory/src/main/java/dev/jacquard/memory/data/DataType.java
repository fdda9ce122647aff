package dev.jacquard.memory.data;

/** A type of elements, in the machine's byte order. */
public enum DataType {
    /** {@code byte}. */
    INT8(1, "byte"),
    /** {@code int}. */
    INT32(4, "int"),
    /** {@code long}. */
    INT64(8, "long"),
    /** {@code float}. */
    FLOAT32(4, "float"),
    /** {@code double}. */
    FLOAT64(8, "double");

    private final int bytes;
    private final String javaName;

    DataType(int bytes, String javaName) {
        this.bytes = bytes;
        this.javaName = javaName;
    }

    /** Returns the size of an element. */
    public int bytes() {
        return bytes;
    }

    /** Java's name of the type: {@code double}. */
    public String javaName() {
        return javaName;
    }
}
