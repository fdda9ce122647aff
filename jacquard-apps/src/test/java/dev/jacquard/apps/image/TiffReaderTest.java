package dev.jacquard.apps.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.zip.DeflaterOutputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TiffReaderTest {
    private static final int WIDTH = 61;
    private static final int HEIGHT = 43;

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "8, none",
        "8, PackBits",
        "8, LZW",
        "8, Deflate",
        "8, ZLib",
        "16, none",
        "16, PackBits",
        "16, LZW",
        "16, Deflate",
        "16, ZLib"
    })
    void readsWhatTheJdkWritesInBothByteOrders(int bits, String compression) throws IOException {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
            Path file = TiffFiles.byJdk(folder.resolve("a.tif"), WIDTH, HEIGHT, bits, order, compression);
            GrayImage image = TiffReader.read(file);
            assertEquals(bits, image.bits());
            assertEquals(WIDTH, image.width());
            assertArrayEquals(TiffFiles.samples(WIDTH, HEIGHT, bits), image.samples(), order.toString());
        }
    }

    @Test
    void undoesThePredictorFor16BitSamples() throws IOException {
        short[] samples = TiffFiles.samples(WIDTH, HEIGHT, 16);
        byte[] differences = TiffFiles.littleEndian(differences(samples));
        Map<Integer, Integer> tags = TiffFiles.tags(WIDTH, HEIGHT, 16);
        tags.put(317, 2);
        tags.put(259, 5);
        assertArrayEquals(samples, read(tags, TiffFiles.lzw(differences)).samples(), "LZW");
        tags.put(259, 8);
        assertArrayEquals(samples, read(tags, deflated(differences)).samples(), "deflate");
    }

    @Test
    void undoesThePredictorFor8BitSamples() throws IOException {
        short[] samples = TiffFiles.samples(WIDTH, HEIGHT, 8);
        short[] differences = differences(samples);
        byte[] bytes = new byte[differences.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) differences[i];
        }
        Map<Integer, Integer> tags = TiffFiles.tags(WIDTH, HEIGHT, 8);
        tags.put(317, 2);
        tags.put(259, 5);
        assertArrayEquals(samples, read(tags, TiffFiles.lzw(bytes)).samples());
    }

    /** Real PackBits files of several strips, the last one shorter, against the JDK's reader. */
    @Test
    void readsTheBundledPlate() throws IOException {
        for (int number = 1; number <= 25; number++) {
            Path file =
                    Path.of(String.format(Locale.ROOT, "../examples/data/plate-5x5/ImageName_t01_p%02d.tif", number));
            GrayImage image = TiffReader.read(file);
            int[] expected = ImageIO.read(file.toFile()).getRaster().getSamples(0, 0, 245, 183, 0, (int[]) null);
            for (int i = 0; i < expected.length; i++) {
                assertEquals(expected[i], image.samples()[i] & 0xFFFF, file + " at " + i);
            }
        }
    }

    @Test
    void turnsFilesRoundThatStoreWhiteAsZero() throws IOException {
        Map<Integer, Integer> tags = TiffFiles.tags(2, 1, 16);
        tags.put(262, 0);
        assertArrayEquals(
                new short[] {(short) 65_535, (short) 55_535},
                read(tags, TiffFiles.littleEndian(new short[] {0, 10_000})).samples());
    }

    @Test
    void aMissingByteCountOfOneUncompressedStripIsImplied() throws IOException {
        byte[] file = TiffFiles.byHand(TiffFiles.tags(2, 2, 8), new byte[] {1, 2, 3, 4});
        for (int i = 0; i + 1 < file.length; i++) {
            if (file[i] == 0x17 && file[i + 1] == 0x01) {
                file[i] = 0x18; // byte counts (279) become a tag that says nothing here (280)
                break;
            }
        }
        Path path = Files.write(folder.resolve("implied.tif"), file);
        assertArrayEquals(new short[] {1, 2, 3, 4}, TiffReader.read(path).samples());
    }

    private GrayImage read(Map<Integer, Integer> tags, byte[] strip) throws IOException {
        return TiffReader.read(Files.write(folder.resolve("hand.tif"), TiffFiles.byHand(tags, strip)));
    }

    private static short[] differences(short[] samples) {
        short[] differences = samples.clone();
        for (int i = samples.length - 1; i > 0; i--) {
            if (i % WIDTH != 0) {
                differences[i] -= samples[i - 1];
            }
        }
        return differences;
    }

    private static byte[] deflated(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflater = new DeflaterOutputStream(out)) {
            deflater.write(bytes);
        }
        return out.toByteArray();
    }
}
