package dev.jacquard.apps.stitching;

import dev.jacquard.apps.image.MosaicTiffWriter;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * A small picture of a large image, gathered row by row while the large one streams by: means of square blocks, with
 * the contrast stretched from the darkest to the brightest thousandth, written as an 8-bit PNG. Confined to one thread.
 *
 * <p>The PNG is written here rather than by the JDK's image library, which takes 150 ms to start.
 */
final class Preview {
    /** Longest side of a preview, in pixels. */
    static final int LONGEST_SIDE = 1600;

    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
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
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            out.write(SIGNATURE);
            chunk(out, "IHDR", headerBytes());
            chunk(out, "IDAT", imageBytes());
            chunk(out, "IEND", new byte[0]);
        }
    }

    private byte[] headerBytes() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(columns);
        out.writeInt(rows);
        out.write(new byte[] {8, 0, 0, 0, 0}); // 8 bits, gray, the only compression and filter method, not interlaced
        return bytes.toByteArray();
    }

    /**
     * Every row with the "up" filter, entropy-coded only: noisy rows hardly repeat, and looking for repeats takes
     * longer.
     */
    private byte[] imageBytes() throws IOException {
        byte[] gray = stretched();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(gray.length / 2);
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        deflater.setStrategy(Deflater.HUFFMAN_ONLY);
        byte[] line = new byte[columns + 1];
        line[0] = 2;
        try (OutputStream out = new DeflaterOutputStream(bytes, deflater, 1 << 16)) {
            for (int i = 0; i < gray.length; i += columns) {
                for (int c = 0; c < columns; c++) {
                    line[c + 1] = (byte) (gray[i + c] - (i == 0 ? 0 : gray[i + c - columns]));
                }
                out.write(line);
            }
        } finally {
            deflater.end();
        }
        return bytes.toByteArray();
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

    private static void chunk(OutputStream out, String type, byte[] data) throws IOException {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        CRC32 crc = new CRC32();
        crc.update(name);
        crc.update(data);
        DataOutputStream stream = new DataOutputStream(out);
        stream.writeInt(data.length);
        stream.write(name);
        stream.write(data);
        stream.writeInt((int) crc.getValue());
    }
}
