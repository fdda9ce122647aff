package dev.jacquard.apps.image;

import org.jspecify.annotations.Nullable;

/** The form of a TIFF's samples. */
enum Samples {
    UNSIGNED_8(8, 1, "8-bit"),
    UNSIGNED_12(12, 1, "12-bit"),
    UNSIGNED_16(16, 1, "16-bit"),
    SIGNED_16(16, 2, "signed 16-bit"),
    FLOAT_32(32, 3, "32-bit floating-point");

    private final int bits;
    /** The value of the file's tag SampleFormat. */
    private final int format;

    private final String text;

    Samples(int bits, int format, String text) {
        this.bits = bits;
        this.format = format;
        this.text = text;
    }

    /** Returns the one with these tags; null if it is not read. Format 4 is "undefined". */
    static @Nullable Samples of(long bits, long format) {
        for (Samples one : values()) {
            if (one.bits == bits && one.format == (format == 4 ? 1 : format)) {
                return one;
            }
        }
        return null;
    }

    int bits() {
        return bits;
    }

    /** Returns the bytes of a row of {@code width} samples; a row begins with a byte of its own. */
    long rowBytes(int width) {
        return ((long) width * bits + 7) / 8;
    }

    String text() {
        return text;
    }
}
