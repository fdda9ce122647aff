package dev.jacquard.drawing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes pictures of 8-bit pixels, gray or from a palette, as PNG; several in turn as APNG, which browsers show as an
 * animation, and other programs by its first picture. The JDK's image library is not used: it takes 150 ms to start,
 * and writes no animations.
 *
 * <pre>{@code
 * try (PngWriter png = PngWriter.gray(channel, columns, rows)) {
 *     png.picture(pixels);
 * }
 * }</pre>
 *
 * <p>Confined to one thread. The channel stays open.
 *
 * <p>Source: the PNG specification (third edition), sections 5, 9.2, 11.2 and 11.3.6 (animation).
 */
public final class PngWriter implements AutoCloseable {
    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    private static final byte GRAY = 0;
    private static final byte INDEXED = 3;

    /** The filter of a row that holds the differences to the row above. */
    private static final byte UP = 2;

    private static final int COLOURS = 256;

    private final SeekableByteChannel channel;
    private final int columns;
    private final int rows;
    private final boolean noisy;
    /** How long each picture is shown; 0 for a single one. */
    private final int millis;

    private int pictures;
    private int animationChunks;
    private long countAt;
    private boolean closed;

    private PngWriter(SeekableByteChannel channel, int columns, int rows, boolean noisy, int millis) {
        if (columns < 1 || rows < 1 || (long) columns * rows > Integer.MAX_VALUE / 2) {
            throw new IllegalArgumentException("no picture of " + columns + " x " + rows + " pixels");
        }
        this.channel = Objects.requireNonNull(channel, "channel");
        this.columns = columns;
        this.rows = rows;
        this.noisy = noisy;
        this.millis = millis;
    }

    /**
     * Writes a picture of gray pixels, 0 is black. It is taken for a measured one: the noise in its rows hardly
     * repeats, and looking for repeats takes longer than it saves.
     */
    public static PngWriter gray(SeekableByteChannel channel, int columns, int rows) throws IOException {
        PngWriter png = new PngWriter(channel, columns, rows, true, 0);
        png.start(GRAY, null);
        return png;
    }

    /**
     * Writes a picture of coloured pixels.
     *
     * @param palette red, green and blue of each colour in turn, at most 256 colours; pixels are their numbers
     */
    public static PngWriter coloured(SeekableByteChannel channel, int columns, int rows, byte[] palette)
            throws IOException {
        PngWriter png = new PngWriter(channel, columns, rows, false, 0);
        png.start(INDEXED, palette.clone());
        return png;
    }

    /**
     * Writes an animation of coloured pictures, which starts again after the last one.
     *
     * @param palette as of {@link #coloured}
     * @param millis how long each picture is shown, 1 to 65,535
     */
    public static PngWriter animated(SeekableByteChannel channel, int columns, int rows, byte[] palette, int millis)
            throws IOException {
        requireShown(millis);
        PngWriter png = new PngWriter(channel, columns, rows, false, millis);
        png.start(INDEXED, palette.clone());
        return png;
    }

    /**
     * Throws an exception for a time that no picture of an animation is shown for.
     *
     * @throws IllegalArgumentException unless {@code millis} is 1 to 65,535
     */
    public static void requireShown(int millis) {
        if (millis < 1 || millis > 0xFFFF) {
            throw new IllegalArgumentException("a picture is shown for 1 to 65535 ms, not " + millis);
        }
    }

    private void start(byte colours, byte @Nullable [] palette) throws IOException {
        write(ByteBuffer.wrap(SIGNATURE));
        chunk(
                "IHDR",
                ByteBuffer.allocate(13)
                        .putInt(columns)
                        .putInt(rows)
                        .put((byte) 8)
                        .put(colours)); // the rest: 0
        if (palette != null) {
            if (palette.length == 0 || palette.length % 3 != 0 || palette.length > 3 * COLOURS) {
                throw new IllegalArgumentException(
                        "a palette has 3 bytes for each of 1 to 256 colours, not " + palette.length);
            }
            chunk("PLTE", ByteBuffer.wrap(palette));
        }
        if (millis > 0) {
            countAt = channel.position();
            count();
        }
    }

    /** Writes the number of pictures; 0 is put right at the end. */
    private void count() throws IOException {
        chunk("acTL", ByteBuffer.allocate(8).putInt(pictures));
    }

    /**
     * Writes the picture, or the next one of an animation.
     *
     * @param pixels row by row from the top, each from left to right
     * @throws IllegalStateException if it is a second one of no animation
     */
    public void picture(byte[] pixels) throws IOException {
        if (pixels.length != columns * rows) {
            throw new IllegalArgumentException(
                    "a picture of " + columns + " x " + rows + " pixels has not " + pixels.length);
        }
        if (closed || (pictures > 0 && millis == 0)) {
            throw new IllegalStateException("the picture has been written");
        }
        if (millis > 0) {
            chunk(
                    "fcTL",
                    ByteBuffer.allocate(26)
                            .putInt(animationChunks++)
                            .putInt(columns)
                            .putInt(rows)
                            .putShort(20, (short) millis)
                            .putShort(22, (short) 1000));
        }
        byte[] data = compressed(pixels);
        if (pictures++ == 0) {
            chunk("IDAT", ByteBuffer.wrap(data));
        } else {
            chunk(
                    "fdAT",
                    ByteBuffer.allocate(Integer.BYTES + data.length)
                            .putInt(animationChunks++)
                            .put(data));
        }
    }

    private byte[] compressed(byte[] pixels) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(pixels.length / 2 + 64);
        Deflater deflater = new Deflater(noisy ? Deflater.BEST_SPEED : Deflater.DEFAULT_COMPRESSION);
        if (noisy) {
            deflater.setStrategy(Deflater.HUFFMAN_ONLY);
        }
        byte[] line = new byte[columns + 1];
        line[0] = UP;
        try (OutputStream out = new DeflaterOutputStream(bytes, deflater, 1 << 16)) {
            for (int i = 0; i < pixels.length; i += columns) {
                for (int c = 0; c < columns; c++) {
                    line[c + 1] = (byte) (pixels[i + c] - (i == 0 ? 0 : pixels[i + c - columns]));
                }
                out.write(line);
            }
        } finally {
            deflater.end();
        }
        return bytes.toByteArray();
    }

    /** Writes a chunk with all bytes of the data, whatever its position. */
    private void chunk(String type, ByteBuffer data) throws IOException {
        int length = data.capacity();
        ByteBuffer chunk = ByteBuffer.allocate(length + 12)
                .putInt(length)
                .put(type.getBytes(StandardCharsets.US_ASCII))
                .put(data.clear());
        CRC32 crc = new CRC32();
        crc.update(chunk.array(), Integer.BYTES, Integer.BYTES + length);
        write(chunk.putInt((int) crc.getValue()).flip());
    }

    private void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** Ends the file. */
    @Override
    public void close() throws IOException {
        if (closed || pictures == 0) {
            return; // without a picture it is no file that a program reads
        }
        closed = true;
        chunk("IEND", ByteBuffer.allocate(0));
        if (millis > 0) {
            long end = channel.position();
            channel.position(countAt);
            count();
            channel.position(end);
        }
    }
}
