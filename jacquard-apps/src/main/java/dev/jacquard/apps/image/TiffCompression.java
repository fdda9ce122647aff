package dev.jacquard.apps.image;

import org.jspecify.annotations.Nullable;

/** How a TIFF's strips are stored, of the ways that are read. */
public enum TiffCompression {
    NONE(1),
    LZW(5),
    DEFLATE(8),
    OLD_DEFLATE(32946),
    PACK_BITS(32773);

    /** The value of the file's compression tag. */
    private final int tag;

    TiffCompression(int tag) {
        this.tag = tag;
    }

    /** Whether a predictor can be used with it (section 14 of the specification: not with PackBits). */
    boolean mayPredict() {
        return this == LZW || this == DEFLATE || this == OLD_DEFLATE;
    }

    /** The one with this value of the compression tag, or null if it is not read. */
    static @Nullable TiffCompression of(long tag) {
        for (TiffCompression compression : values()) {
            if (compression.tag == tag) {
                return compression;
            }
        }
        return null;
    }
}
