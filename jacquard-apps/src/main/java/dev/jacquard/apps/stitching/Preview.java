package dev.jacquard.apps.stitching;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.jacquard.apps.image.MosaicTiffWriter;
import dev.jacquard.drawing.PngWriter;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A small picture of a large image, gathered row by row while the large one streams by: means of square blocks, with
 * the contrast stretched from the darkest to the brightest thousandth, written as an 8-bit PNG. Confined to one thread.
 */
final class Preview {
    /** Longest side of a preview, in pixels. */
    static final int LONGEST_SIDE = 1600;

    private static final int TAIL = 1000;

    private final int width;
    private final int height;
    private final int factor;
    private final int columns;
    private final int rows;
    private final int[] means;
    private final long[] sums;
    private int rowsSeen;

    /** The preview of an image of {@code width} by {@code height} samples. */
    Preview(int width, int height) {
        if (width < 1 || height < 1) {
            throw new IllegalArgumentException("no preview of an image of " + width + " x " + height + " pixels");
        }
        this.width = width;
        this.height = height;
        factor = Math.ceilDiv(Math.max(width, height), LONGEST_SIDE);
        columns = Math.ceilDiv(width, factor);
        rows = Math.ceilDiv(height, factor);
        means = new int[rows * columns];
        sums = new long[columns];
    }

    int width() {
        return columns;
    }

    int height() {
        return rows;
    }

    /** Takes the next {@code rowCount} rows of the large image, as {@link MosaicTiffWriter#writeRows} does. */
    void addRows(short[] samples, int rowCount) {
        if (samples.length < (long) rowCount * width || rowCount > height - rowsSeen) {
            throw new IllegalArgumentException(samples.length + " samples given for " + rowCount + " rows of " + width
                    + ", after row " + rowsSeen + " of " + height);
        }
        for (int row = 0; row < rowCount; row++) {
            addRow(samples, row * width);
            rowsSeen++;
            if (rowsSeen % factor == 0 || rowsSeen == height) {
                endBlock();
            }
        }
    }

    private void addRow(short[] samples, int start) {
        for (int block = 0; block < columns; block++) {
            int from = start + block * factor;
            int to = Math.min(from + factor, start + width);
            long sum = 0;
            for (int i = from; i < to; i++) {
                sum += samples[i] & 0xFFFF;
            }
            sums[block] += sum;
        }
    }

    private void endBlock() {
        int row = (rowsSeen - 1) / factor;
        int high = rowsSeen - row * factor;
        for (int block = 0; block < columns; block++) {
            int wide = Math.min(factor, width - block * factor);
            means[row * columns + block] = (int) (sums[block] / ((long) high * wide));
            sums[block] = 0;
        }
    }

    /**
     * Writes the PNG.
     *
     * @throws IllegalStateException if rows are missing
     */
    void write(Path file) throws IOException {
        if (rowsSeen != height) {
            throw new IllegalStateException("the preview has seen " + rowsSeen + " of " + height + " rows");
        }
        try (SeekableByteChannel channel = Files.newByteChannel(file, CREATE, TRUNCATE_EXISTING, WRITE);
                PngWriter png = PngWriter.gray(channel, columns, rows)) {
            png.picture(stretched());
        }
    }

    private byte[] stretched() {
        int[] counts = new int[65_536];
        for (int mean : means) {
            counts[mean]++;
        }
        int tail = means.length / TAIL;
        int low = 0;
        for (int left = tail; left - counts[low] >= 0 && low < 65_535; low++) {
            left -= counts[low];
        }
        int high = 65_535;
        for (int left = tail; left - counts[high] >= 0 && high > low + 1; high--) {
            left -= counts[high];
        }
        high = Math.max(high, low + 1);
        byte[] gray = new byte[means.length];
        for (int i = 0; i < gray.length; i++) {
            gray[i] = (byte) Math.clamp((means[i] - low) * 255L / (high - low), 0, 255);
        }
        return gray;
    }
}
