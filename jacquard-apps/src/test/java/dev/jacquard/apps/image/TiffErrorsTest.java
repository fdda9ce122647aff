package dev.jacquard.apps.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.image.TiffHeader.ImageFormatException;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TiffErrorsTest {
    @TempDir
    Path folder;

    @Test
    void refusesRgb() throws IOException {
        Path file = folder.resolve("rgb.tif");
        TiffFiles.write(file, new BufferedImage(9, 7, BufferedImage.TYPE_INT_RGB), ByteOrder.LITTLE_ENDIAN, "none");
        assertRefused(file, "an RGB image; only one channel of gray is read");
    }

    @Test
    void readsAStripOfAFileThatNoArrayHolds() throws IOException {
        Path file = folder.resolve("huge.tif");
        Files.write(file, TiffFiles.byHand(TiffFiles.tags(5, 3, 16), new byte[30]));
        try (FileChannel sparse = FileChannel.open(file, StandardOpenOption.WRITE)) {
            sparse.write(ByteBuffer.allocate(1), 1L << 31);
        }
        assertEquals(15, TiffReader.read(file).samples().length, "only the strip is read");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "258 | 32 | its samples are 32-bit unsigned",
                "258 | 24 | its samples are 24-bit unsigned",
                "258 | 32 | unsigned ones of 8, 12 and 16 bits, signed ones of 16 and floating-point ones of 32 are read",
                "339 | 3 | its samples are 16-bit floating-point",
                "262 | 3 | its palette has 0 values, and needs 196608",
                "262 | 5 | its photometric interpretation is 5",
                "277 | 2 | it has 2 samples per pixel",
                "259 | 7 | its compression is number 7 (JPEG); none, PackBits, LZW and deflate are read",
                "266 | 2 | fill order 2",
                "317 | 4 | its predictor is number 4",
                "322 | 16 | its tiles are 16 x 0",
                "256 | 0 | its width is 0",
                "278 | 1 | it needs 3 strip offsets and has 1",
                "279 | 29 | truncated: strip 1 of 1 has 29 bytes and needs 30",
                "259 | 6 | its compression is number 6 (JPEG)",
                "279 | 31 | truncated: strip 1 of 1 ends at byte",
            })
    void refusesWhatItCannotRead(int tag, int value, String reason) throws IOException {
        Map<Integer, Integer> tags = TiffFiles.tags(5, 3, 16);
        tags.put(tag, value);
        assertRefused(Files.write(folder.resolve("a.tif"), TiffFiles.byHand(tags, new byte[30])), reason);
    }

    @Test
    void refusesWhatIsNoTiff() throws IOException {
        assertRefused(
                Files.writeString(folder.resolve("a.tif"), "This is a text file."),
                "not a TIFF: it does not start with II or MM");
        assertRefused(Files.write(folder.resolve("b.tif"), new byte[0]), "not a TIFF: it has 0 bytes");
        assertRefused(
                Files.write(folder.resolve("c.tif"), "II+\0\b\0\0\0aaaa".getBytes(StandardCharsets.US_ASCII)),
                "its header refers to byte 16 of 12");
        assertRefused(
                Files.write(folder.resolve("d.tif"), "II\t\0\b\0\0\0".getBytes(StandardCharsets.US_ASCII)),
                "its version is 9");
        assertRefused(folder, "it is a folder, not a TIFF");
        assertRefused(folder.resolve("none.tif"), "there is no such file");
    }

    /** Whatever its layout, a file that lost its last bytes is noticed from its header alone or while it is read. */
    @ParameterizedTest
    @ValueSource(strings = {"none", "PackBits", "LZW", "Deflate"})
    void noticesTruncationAtEveryByte(String compression) throws IOException {
        for (int bits : new int[] {8, 16}) {
            for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
                Path whole = TiffFiles.byJdk(folder.resolve("whole.tif"), 13, 11, bits, order, compression);
                byte[] bytes = Files.readAllBytes(whole);
                int needed = endOfData(whole);
                for (int length = 0; length < needed; length++) {
                    Path cut = Files.write(folder.resolve("cut.tif"), Arrays.copyOf(bytes, length));
                    assertThrows(ImageFormatException.class, () -> TiffHeader.probe(cut), "cut to " + length);
                }
            }
        }
    }

    private static int endOfData(Path file) throws IOException {
        TiffHeader header = TiffHeader.probe(file);
        TiffPage page = header.pages().getFirst();
        int last = page.blocks() - 1;
        return (int) (page.offsets()[last] + page.lengths()[last]);
    }

    /** A strip that is there but ends early, with the byte count to match, so that only decompression can tell. */
    @ParameterizedTest
    @CsvSource({"5, LZW", "32773, PACK_BITS", "8, DEFLATE"})
    void noticesStripsThatDeliverTooLittle(int compression, String name) throws IOException {
        byte[] strip = switch (name) {
            case "LZW" -> TiffFiles.lzw(new byte[29]);
            case "PACK_BITS" -> new byte[] {-28, 5};
            default -> new byte[] {0x78, (byte) 0x9C, 0x63, 0, 0, 0, 1, 0, 1};
        };
        Map<Integer, Integer> tags = TiffFiles.tags(5, 3, 16);
        tags.put(259, compression);
        Path file = Files.write(folder.resolve("a.tif"), TiffFiles.byHand(tags, strip));
        ImageFormatException error = assertThrows(ImageFormatException.class, () -> TiffReader.read(file));
        assertTrue(
                error.getMessage().startsWith(file + ": " + name + " strip 1 of 1 is truncated: it has "),
                error.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"5", "32773", "8"})
    void damagedStripsGiveAnErrorOrAllSamples(int compression) throws IOException {
        Map<Integer, Integer> tags = TiffFiles.tags(5, 3, 16);
        tags.put(259, compression);
        for (int seed = 0; seed < 300; seed++) {
            byte[] strip = new byte[1 + seed % 40];
            new Random(seed).nextBytes(strip);
            Path file = Files.write(folder.resolve("a.tif"), TiffFiles.byHand(tags, strip));
            try {
                assertEquals(15, TiffReader.read(file).samples().length);
            } catch (ImageFormatException e) {
                assertTrue(e.getMessage().contains("strip 1 of 1"), "seed " + seed + ": " + e.getMessage());
            }
        }
    }

    @Test
    void noticesThatAFileChangedSinceItWasChecked() throws IOException {
        Path file = TiffFiles.byJdk(folder.resolve("a.tif"), 13, 11, 16, ByteOrder.LITTLE_ENDIAN, "none");
        TiffHeader header = TiffHeader.probe(file);
        Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 200));
        ImageFormatException error = assertThrows(ImageFormatException.class, () -> TiffReader.read(header));
        assertTrue(error.getMessage().contains("when it was checked and has 200"), error.getMessage());
    }

    private static void assertRefused(Path file, String reason) {
        ImageFormatException error = assertThrows(ImageFormatException.class, () -> TiffHeader.probe(file));
        assertTrue(error.getMessage().startsWith(file + ": "), error.getMessage());
        assertTrue(error.getMessage().contains(reason), error.getMessage());
    }
}
