package dev.jacquard.core.data;

/** What the elements of data are. All are in the machine's byte order. */
public enum ElementType {
    /** {@code byte}. */
    INT8(1),
    /** {@code int}. */
    INT32(4),
    /** {@code long}. */
    INT64(8),
    /** {@code float}. */
    FLOAT32(4),
    /** {@code double}. */
    FLOAT64(8);

    private final int bytes;

    ElementType(int bytes) {
        this.bytes = bytes;
    }

    /** How large an element is. */
    public int bytes() {
        return bytes;
    }
}
