package dev.jacquard.apps.image;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The header of a grayscale TIFF, read before any sample: its size, and the places of its strips. Made by
 * {@link #probe}, which refuses every file that {@link TiffReader} could not read in full, so that a whole plate can be
 * checked in milliseconds before work starts.
 *
 * @param file where it was read from
 * @param fileLength bytes of the file, at least the end of every strip
 * @param width columns
 * @param height rows
 * @param bits 8 or 16
 * @param order byte order of the file
 * @param compression how the strips are stored
 * @param predicted whether samples are stored as differences from their left neighbours
 * @param whiteIsZero whether the file stores white as 0; {@link TiffReader} turns that round
 * @param rowsPerStrip rows of every strip but the last, at most {@code height}
 * @param stripOffsets where each strip starts in the file; not copied, not to be written
 * @param stripLengths bytes of each strip in the file; not copied, not to be written
 */
public record TiffHeader(
        Path file,
        long fileLength,
        int width,
        int height,
        int bits,
        ByteOrder order,
        Compression compression,
        boolean predicted,
        boolean whiteIsZero,
        int rowsPerStrip,
        long[] stripOffsets,
        long[] stripLengths) {
    /** The storage of a TIFF's strips, of the ways that are read. */
    public enum Compression {
        NONE(1),
        LZW(5),
        DEFLATE(8),
        OLD_DEFLATE(32946),
        PACK_BITS(32773);

        /** The value of the file's compression tag. */
        private final int tag;

        Compression(int tag) {
            this.tag = tag;
        }

        /**
         * Returns true if files may use a predictor with this compression (section 14 of the specification: not with
         * PackBits).
         */
        boolean mayPredict() {
            return this == LZW || this == DEFLATE || this == OLD_DEFLATE;
        }

        /** The one with this value of the compression tag, or null if it is not read. */
        static @Nullable Compression of(long tag) {
            return Arrays.stream(values())
                    .filter(one -> one.tag == tag)
                    .findFirst()
                    .orElse(null);
        }
    }

    /**
     * Reads the header of {@code file} and checks it against the file's length.
     *
     * @throws ImageFormatException if it is no TIFF, is truncated, or holds something else than one channel of 8 or 16
     *     bits
     * @throws IOException if the file cannot be read
     */
    public static TiffHeader probe(Path file) throws IOException {
        return TiffHeaderParser.parse(file);
    }

    /** Bytes of {@code rows} rows once decompressed. */
    long bytesOf(int rows) {
        return (long) rows * width * (bits / 8);
    }

    /** Rows in strip {@code strip}: the last may have fewer than the others. */
    int rowsOf(int strip) {
        return Math.min(rowsPerStrip, height - strip * rowsPerStrip);
    }

    /**
     * A file that is not the grayscale TIFF that it should be. The message names the file, the error, and the supported
     * formats.
     */
    public static final class ImageFormatException extends IOException {
        private static final long serialVersionUID = 1;

        /** The message, kept so that it is known to exist. */
        private final String message;

        ImageFormatException(Path file, String reason) {
            this.message = file + ": " + reason;
        }

        ImageFormatException(Path file, String reason, Throwable cause) {
            super(cause);
            this.message = file + ": " + reason;
        }

        @Override
        public String getMessage() {
            return message;
        }
    }
}
