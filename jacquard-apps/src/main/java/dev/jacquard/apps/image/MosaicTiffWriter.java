package dev.jacquard.apps.image;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes an uncompressed grayscale TIFF row by row, so that an image larger than memory can be written. Neither the
 * JDK's image library nor ImageJ can: both want the whole image first. Confined to one thread at a time.
 *
 * <p>From 4 GiB on the file is a BigTIFF.
 */
public final class MosaicTiffWriter implements AutoCloseable {
    private final Path file;
    private final FileChannel channel;
    private final int width;
    private final int height;
    private final int bits;
    private ByteBuffer buffer = ByteBuffer.allocateDirect(0);
    private int rowsWritten;

    private MosaicTiffWriter(Path file, FileChannel channel, int width, int height, int bits) {
        this.file = file;
        this.channel = channel;
        this.width = width;
        this.height = height;
        this.bits = bits;
    }

    /** Starts a 16-bit image. */
    public static MosaicTiffWriter open(Path file, int width, int height) throws IOException {
        return open(file, width, height, 16);
    }

    /**
     * Starts an image, replacing {@code file} if it exists.
     *
     * @param bits 8 or 16
     * @throws IOException if the file cannot be written
     */
    public static MosaicTiffWriter open(Path file, int width, int height, int bits) throws IOException {
        if (width < 1 || height < 1 || (bits != 8 && bits != 16)) {
            throw new IllegalArgumentException(
                    "cannot write " + width + " x " + height + " samples of " + bits + " bits; bits are 8 or 16");
        }
        FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        MosaicTiffWriter writer = new MosaicTiffWriter(file, channel, width, height, bits);
        try {
            writer.write(TiffLayout.of(width, height, bits).header());
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        return writer;
    }

    /**
     * Appends rows.
     *
     * @param rows {@code rowCount * width} samples or more, row after row
     * @throws IllegalArgumentException if there are fewer samples, or the image would get too many rows
     */
    public void writeRows(short[] rows, int rowCount) throws IOException {
        long samples = (long) rowCount * width;
        if (rowCount < 0 || rows.length < samples || rowCount > height - rowsWritten) {
            throw new IllegalArgumentException(rows.length + " samples given for " + rowCount + " rows of " + width
                    + ", after row " + rowsWritten + " of " + height);
        }
        int rowBytes = width * (bits / 8);
        int rowsAtOnce = Math.clamp((1 << 20) / rowBytes, 1, TiffLayout.ROWS_PER_STRIP);
        for (int row = 0; row < rowCount; row += rowsAtOnce) {
            int count = Math.min(rowsAtOnce, rowCount - row);
            ByteBuffer out = cleared(count * rowBytes);
            put(rows, row * width, count * width, out);
            write(out.flip());
        }
        rowsWritten += rowCount;
    }

    /**
     * Ends the file.
     *
     * @throws IOException if rows are missing: then the file is no complete image
     */
    @Override
    public void close() throws IOException {
        channel.close();
        if (rowsWritten != height) {
            throw new IOException(file + ": " + rowsWritten + " of " + height + " rows were written");
        }
    }

    private void put(short[] samples, int from, int count, ByteBuffer out) {
        if (bits == 16) {
            out.asShortBuffer().put(samples, from, count);
            out.position(out.position() + 2 * count);
        } else {
            for (int i = from; i < from + count; i++) {
                out.put((byte) samples[i]);
            }
        }
    }

    private ByteBuffer cleared(int bytes) {
        if (buffer.capacity() < bytes) {
            buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }
        return buffer.clear();
    }

    private void write(ByteBuffer out) throws IOException {
        while (out.hasRemaining()) {
            channel.write(out);
        }
    }
}
