package dev.jacquard.apps.linear;

/** The precision of factors. */
enum Precision {
    /** 32 bits, 24 of them digits. */
    FLOAT(Float.BYTES),
    /** 64 bits, 53 of them digits. */
    DOUBLE(Double.BYTES);

    /** The bytes of a number. */
    final int bytes;

    Precision(int bytes) {
        this.bytes = bytes;
    }
}
