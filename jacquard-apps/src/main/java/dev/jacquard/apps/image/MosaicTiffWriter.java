package dev.jacquard.apps.image;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes an uncompressed grayscale TIFF row by row, so that an image larger than memory can be written. Neither the JDK's
 * image library nor ImageJ can: both want the whole image first. Confined to one thread at a time.
 *
 * <p>The file: header and directory, the table of strips, then the strips of 64 rows, little-endian.
 */
public final class MosaicTiffWriter implements AutoCloseable {
    /** Largest file: offsets in a TIFF have 32 bits. */
    private static final long MOST_BYTES = 0xFFFF_FFFFL;

    private static final int ROWS_PER_STRIP = 64;
    private static final int ENTRIES = 11;
    private static final int SHORT = 3;
    private static final int LONG = 4;

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

    /** Whether an image of so many samples of 8 or 16 bits fits a file. */
    public static boolean holds(long width, long height, int bits) {
        return height <= Integer.MAX_VALUE && width <= MOST_BYTES && bytes(width, (int) height, bits) <= MOST_BYTES;
    }

    /** Starts a 16-bit image. */
    public static MosaicTiffWriter open(Path file, int width, int height) throws IOException {
        return open(file, width, height, 16);
    }

    /**
     * Starts an image, replacing {@code file} if it exists.
     *
     * @param bits 8 or 16
     * @throws IOException if the file cannot be written, or would have 4 GiB or more
     */
    public static MosaicTiffWriter open(Path file, int width, int height, int bits) throws IOException {
        if (width < 1 || height < 1 || (bits != 8 && bits != 16)) {
            throw new IllegalArgumentException(
                    "cannot write " + width + " x " + height + " samples of " + bits + " bits; bits are 8 or 16");
        }
        if (!holds(width, height, bits)) {
            throw new IOException(file + ": an image of " + width + " x " + height + " samples of " + bits
                    + " bits needs " + bytes(width, height, bits) + " bytes; a TIFF has less than 4 GiB");
        }
        FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        MosaicTiffWriter writer = new MosaicTiffWriter(file, channel, width, height, bits);
        try {
            writer.writeHeader();
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
        int rowsAtOnce = Math.clamp((1 << 20) / rowBytes, 1, ROWS_PER_STRIP);
        for (int row = 0; row < rowCount; row += rowsAtOnce) {
            int count = Math.min(rowsAtOnce, rowCount - row);
            ByteBuffer out = cleared(count * rowBytes);
            put(rows, row * width, count * width, out);
            write(out);
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
        out.flip();
        while (out.hasRemaining()) {
            channel.write(out);
        }
    }

    private static int strips(int height) {
        return Math.ceilDiv(height, ROWS_PER_STRIP);
    }

    private static long bytes(long width, int height, int bits) {
        return dataStart(height) + width * height * (bits / 8);
    }

    private static long dataStart(int height) {
        return tableStart() + 8L * strips(height);
    }

    private static int tableStart() {
        return 8 + 2 + 12 * ENTRIES + 4;
    }

    private void writeHeader() throws IOException {
        int strips = strips(height);
        ByteBuffer out = ByteBuffer.allocate((int) dataStart(height)).order(ByteOrder.LITTLE_ENDIAN);
        out.put((byte) 'I').put((byte) 'I').putShort((short) 42).putInt(8).putShort((short) ENTRIES);
        long stripBytes = (long) ROWS_PER_STRIP * width * (bits / 8);
        long lastBytes = (long) (height - (strips - 1) * ROWS_PER_STRIP) * width * (bits / 8);
        entry(out, 256, LONG, 1, width);
        entry(out, 257, LONG, 1, height);
        entry(out, 258, SHORT, 1, bits);
        entry(out, 259, SHORT, 1, 1);
        entry(out, 262, SHORT, 1, 1);
        entry(out, 273, LONG, strips, strips == 1 ? dataStart(height) : tableStart());
        entry(out, 274, SHORT, 1, 1);
        entry(out, 277, SHORT, 1, 1);
        entry(out, 278, LONG, 1, ROWS_PER_STRIP);
        entry(out, 279, LONG, strips, strips == 1 ? lastBytes : tableStart() + 4L * strips);
        entry(out, 339, SHORT, 1, 1);
        out.putInt(0);
        for (int i = 0; i < strips; i++) {
            out.putInt((int) (dataStart(height) + i * stripBytes));
        }
        for (int i = 0; i < strips; i++) {
            out.putInt((int) (i == strips - 1 ? lastBytes : stripBytes));
        }
        write(out);
    }

    private static void entry(ByteBuffer out, int tag, int type, int count, long value) {
        out.putShort((short) tag).putShort((short) type).putInt(count).putInt((int) value);
    }
}
