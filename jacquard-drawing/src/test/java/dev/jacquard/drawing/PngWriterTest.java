package dev.jacquard.drawing;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The JDK's image library reads what is written; of animations, whose pictures are taken out one by one, too. */
class PngWriterTest {
    private static final int COLUMNS = 37;
    private static final int ROWS = 23;

    @TempDir
    Path folder;

    private SeekableByteChannel channel() throws IOException {
        return Files.newByteChannel(folder.resolve("p.png"), CREATE, TRUNCATE_EXISTING, WRITE);
    }

    private byte[] written() throws IOException {
        return Files.readAllBytes(folder.resolve("p.png"));
    }

    private static byte[] random(int bytes, int below, long seed) {
        Random random = new Random(seed);
        byte[] all = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            all[i] = (byte) random.nextInt(below);
        }
        return all;
    }

    @Test
    void grayPixelsAreReadAgain() throws IOException {
        byte[] pixels = random(COLUMNS * ROWS, 256, 1);
        try (SeekableByteChannel channel = channel();
                PngWriter png = PngWriter.gray(channel, COLUMNS, ROWS)) {
            png.picture(pixels);
            assertThrows(IllegalStateException.class, () -> png.picture(pixels));
        }
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(written()));
        assertEquals(COLUMNS, image.getWidth());
        int[] samples = image.getRaster().getSamples(0, 0, COLUMNS, ROWS, 0, (int[]) null);
        for (int i = 0; i < samples.length; i++) {
            assertEquals(pixels[i] & 0xFF, samples[i], "pixel " + i);
        }
    }

    @Test
    void colouredPixelsAreReadAgain() throws IOException {
        byte[] pixels = random(COLUMNS * ROWS, 5, 2);
        byte[] palette = random(15, 256, 3);
        try (SeekableByteChannel channel = channel();
                PngWriter png = PngWriter.coloured(channel, COLUMNS, ROWS, palette)) {
            png.picture(pixels);
        }
        requirePicture(pixels, palette, written());
    }

    private static void requirePicture(byte[] pixels, byte[] palette, byte[] png) throws IOException {
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
        assertEquals(ROWS, image.getHeight());
        for (int i = 0; i < pixels.length; i++) {
            int colour = 3 * pixels[i];
            int rgb = (palette[colour] & 0xFF) << 16 | (palette[colour + 1] & 0xFF) << 8 | (palette[colour + 2] & 0xFF);
            assertEquals(rgb, image.getRGB(i % COLUMNS, i / COLUMNS) & 0xFFFFFF, "pixel " + i);
        }
    }

    private record Chunk(String type, ByteBuffer data) {}

    private static List<Chunk> chunks(byte[] png) {
        ByteBuffer in = ByteBuffer.wrap(png).position(8);
        List<Chunk> chunks = new ArrayList<>();
        while (in.hasRemaining()) {
            int length = in.getInt();
            CRC32 crc = new CRC32();
            crc.update(png, in.position(), 4 + length);
            byte[] type = new byte[4];
            in.get(type);
            chunks.add(new Chunk(new String(type, StandardCharsets.US_ASCII), in.slice(in.position(), length)));
            in.position(in.position() + length);
            assertEquals((int) crc.getValue(), in.getInt());
        }
        return chunks;
    }

    @Test
    void anAnimationHasAllItsPictures() throws IOException {
        byte[] palette = random(15, 256, 3);
        List<byte[]> pictures =
                List.of(random(COLUMNS * ROWS, 5, 4), random(COLUMNS * ROWS, 5, 5), random(COLUMNS * ROWS, 5, 6));
        try (SeekableByteChannel channel = channel();
                PngWriter png = PngWriter.animated(channel, COLUMNS, ROWS, palette, 40)) {
            for (byte[] pixels : pictures) {
                png.picture(pixels);
            }
        }
        requirePicture(pictures.getFirst(), palette, written());
        List<Chunk> chunks = chunks(written());
        assertEquals(
                List.of("IHDR", "PLTE", "acTL", "fcTL", "IDAT", "fcTL", "fdAT", "fcTL", "fdAT", "IEND"),
                chunks.stream().map(Chunk::type).toList());
        assertEquals(3, chunks.get(2).data().getInt(0), "pictures");
        assertEquals(0, chunks.get(2).data().getInt(4), "plays without end");
        int number = 0;
        int picture = 0;
        for (Chunk chunk : chunks) {
            ByteBuffer data = chunk.data();
            if (chunk.type().equals("fcTL")) {
                assertEquals(number++, data.getInt());
                assertArrayEquals(
                        new int[] {COLUMNS, ROWS, 0, 0},
                        new int[] {data.getInt(), data.getInt(), data.getInt(), data.getInt()});
                assertEquals(40, data.getShort());
                assertEquals(1000, data.getShort());
                assertEquals(0, data.getShort());
                assertEquals(0, data.remaining());
            } else if (chunk.type().equals("fdAT")) {
                assertEquals(number++, data.getInt());
                requirePicture(pictures.get(++picture), palette, single(chunks, data));
            }
        }
        assertEquals(2, picture);
    }

    /** Returns a file with one picture of an animation alone. */
    private static byte[] single(List<Chunk> chunks, ByteBuffer data) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'});
        for (Chunk chunk : List.of(chunks.get(0), chunks.get(1), new Chunk("IDAT", data), chunks.getLast())) {
            byte[] content = new byte[chunk.data().remaining()];
            chunk.data().duplicate().get(content);
            byte[] type = chunk.type().getBytes(StandardCharsets.US_ASCII);
            CRC32 crc = new CRC32();
            crc.update(type);
            crc.update(content);
            out.writeInt(content.length);
            out.write(type);
            out.write(content);
            out.writeInt((int) crc.getValue());
        }
        return bytes.toByteArray();
    }

    @Test
    void whatIsNoPictureIsRefused() throws IOException {
        try (SeekableByteChannel channel = channel()) {
            assertThrows(IllegalArgumentException.class, () -> PngWriter.gray(channel, 0, 1));
            assertThrows(IllegalArgumentException.class, () -> PngWriter.gray(channel, 1 << 16, 1 << 16));
            assertThrows(IllegalArgumentException.class, () -> PngWriter.coloured(channel, 1, 1, new byte[4]));
            assertThrows(IllegalArgumentException.class, () -> PngWriter.coloured(channel, 1, 1, new byte[771]));
            assertThrows(IllegalArgumentException.class, () -> PngWriter.animated(channel, 1, 1, new byte[3], 0));
            PngWriter png = PngWriter.gray(channel, 2, 2);
            assertThrows(IllegalArgumentException.class, () -> png.picture(new byte[5]));
            png.picture(new byte[4]);
            png.close();
            long end = channel.position();
            png.close();
            assertEquals(end, channel.position());
            assertThrows(IllegalStateException.class, () -> png.picture(new byte[4]));
        }
    }
}
