package dev.jacquard.apps.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MosaicTiffWriterTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 200})
    void whatIsWrittenInPortionsIsReadBack(int height) throws IOException {
        int width = 37;
        Path file = folder.resolve("mosaic.tif");
        short[] samples = TiffFiles.samples(width, height, 16);
        try (MosaicTiffWriter writer = MosaicTiffWriter.open(file, width, height)) {
            for (int row = 0; row < height; row += 7) {
                int rows = Math.min(7, height - row);
                writer.writeRows(Arrays.copyOfRange(samples, row * width, (row + rows) * width), rows);
            }
        }
        assertArrayEquals(samples, TiffReader.read(file).samples());
        assertEquals(height, ImageIO.read(file.toFile()).getHeight(), "the JDK reads it too");
    }

    @Test
    void writes8Bits() throws IOException {
        Path file = folder.resolve("mosaic.tif");
        short[] samples = TiffFiles.samples(37, 70, 8);
        try (MosaicTiffWriter writer = MosaicTiffWriter.open(file, 37, 70, 8)) {
            writer.writeRows(samples, 70);
        }
        assertArrayEquals(samples, TiffReader.read(file).samples());
        assertEquals(8, TiffReader.read(file).bits());
    }

    @Test
    void missingRowsAreAnErrorWhenClosed() throws IOException {
        MosaicTiffWriter writer = MosaicTiffWriter.open(folder.resolve("m.tif"), 3, 5);
        writer.writeRows(new short[6], 2);
        IOException error = assertThrows(IOException.class, writer::close);
        assertTrue(String.valueOf(error.getMessage()).endsWith("m.tif: 2 of 5 rows were written"), error.getMessage());
    }

    @Test
    void tooManyRowsAreRefused() throws IOException {
        try (MosaicTiffWriter writer = MosaicTiffWriter.open(folder.resolve("m.tif"), 3, 2)) {
            writer.writeRows(new short[6], 2);
            assertThrows(IllegalArgumentException.class, () -> writer.writeRows(new short[3], 1));
        }
    }

    @Test
    void fromFourGibibytesOnTheHeaderIsThatOfABigTiff() {
        assertFalse(TiffLayout.of(46_340, 46_340, 16).big(), "just below 4 GiB");
        assertTrue(TiffLayout.of(46_341, 46_341, 16).big(), "just above");
        int height = 60_000;
        TiffLayout layout = TiffLayout.of(50_000, height, 16);
        ByteBuffer header = layout.header();
        assertEquals(43, header.getShort(2));
        assertEquals(8, header.getShort(4), "bytes of an offset");
        int directory = (int) header.getLong(8);
        Map<Integer, long[]> entries = new HashMap<>();
        for (int i = 0; i < header.getLong(directory); i++) {
            int at = directory + 8 + 20 * i;
            entries.put((int) header.getShort(at), new long[] {header.getLong(at + 4), header.getLong(at + 12)});
        }
        assertEquals(50_000, value(entries, 256)[1]);
        assertEquals(height, value(entries, 257)[1]);
        long strips = value(entries, 273)[0];
        assertEquals(Math.ceilDiv(height, 64), strips);
        int offsets = (int) value(entries, 273)[1];
        int lengths = (int) value(entries, 279)[1];
        long expected = header.limit();
        for (int strip = 0; strip < strips; strip++) {
            assertEquals(expected, header.getLong(offsets + 8 * strip), "offset of strip " + strip);
            expected += header.getLong(lengths + 8 * strip);
        }
        assertEquals(header.limit() + 2L * 50_000 * height, expected, "the strips hold all samples");
    }

    private static long[] value(Map<Integer, long[]> entries, int tag) {
        return java.util.Objects.requireNonNull(entries.get(tag), "tag " + tag);
    }
}
