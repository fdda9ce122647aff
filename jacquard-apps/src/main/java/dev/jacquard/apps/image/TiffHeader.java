package dev.jacquard.apps.image;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;

/**
 * The header of a grayscale TIFF, read before any sample: its size, and the places of its strips or tiles. Made by
 * {@link #probe}, which refuses every file that {@link TiffReader} could not read in full, so that a whole plate can be
 * checked in milliseconds before work starts.
 */
public final class TiffHeader {
    private final Path file;
    private final long fileLength;
    private final ByteOrder order;
    private final int width;
    private final int height;
    private final Samples samples;
    private final List<TiffPage> pages;
    private final Range range;

    /**
     * The least and the largest sample of floating-point images, which become 0 and 65,535.
     *
     * @param least not more than {@code largest}
     * @param largest a finite number
     */
    public record Range(float least, float largest) {
        /** The range of images with samples from 0 to 1. */
        static final Range UNIT = new Range(0, 1);

        /** Returns the smallest range that includes both. */
        public Range with(Range other) {
            return new Range(Math.min(least, other.least), Math.max(largest, other.largest));
        }
    }

    TiffHeader(
            Path file,
            long fileLength,
            ByteOrder order,
            int width,
            int height,
            Samples samples,
            List<TiffPage> pages,
            Range range) {
        this.file = file;
        this.fileLength = fileLength;
        this.order = order;
        this.width = width;
        this.height = height;
        this.samples = samples;
        this.pages = List.copyOf(pages);
        this.range = range;
    }

    /**
     * Reads the header of {@code file}, which has one page, and checks it against the file's length.
     *
     * @throws ImageFormatException if it is no TIFF, is truncated, or holds something else than one channel of gray
     * @throws IOException if the file cannot be read
     */
    public static TiffHeader probe(Path file) throws IOException {
        return probe(file, PlaneChoice.ONLY);
    }

    /**
     * Reads the header of {@code file} like {@link #probe(Path)}, of the pages that {@code choice} names.
     *
     * @throws ImageFormatException also if there are several pages and none is chosen, or one that does not exist
     */
    public static TiffHeader probe(Path file, PlaneChoice choice) throws IOException {
        return TiffHeaderParser.parse(file, choice);
    }

    /** Returns the header with the range that {@link TiffReader} maps floating-point samples from. */
    public TiffHeader withRange(Range its) {
        return new TiffHeader(file, fileLength, order, width, height, samples, pages, its);
    }

    /** Returns where it was read from. */
    public Path file() {
        return file;
    }

    /** Returns the number of columns. */
    public int width() {
        return width;
    }

    /** Returns the number of rows. */
    public int height() {
        return height;
    }

    /** Returns the bits of a sample of the image that {@link TiffReader} makes of it: 8 or 16. */
    public int bits() {
        return samples.bits() == 8 && pages.getFirst().palette() == null ? 8 : 16;
    }

    /** Returns true if the samples are floating-point numbers, which need a {@link Range}. */
    public boolean isFloat() {
        return samples == Samples.FLOAT_32;
    }

    /** Returns the samples as text, for messages. */
    public String kind() {
        return samples.text();
    }

    long fileLength() {
        return fileLength;
    }

    ByteOrder order() {
        return order;
    }

    Samples samples() {
        return samples;
    }

    /** Returns the pages that are read: one, or all of those whose maximum is taken. */
    List<TiffPage> pages() {
        return pages;
    }

    Range range() {
        return range;
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
