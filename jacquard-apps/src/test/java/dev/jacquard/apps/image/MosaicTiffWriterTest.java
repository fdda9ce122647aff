package dev.jacquard.apps.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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
    void fourGibibytesAreRefusedBeforeAnythingIsWritten() {
        Path file = folder.resolve("m.tif");
        IOException error = assertThrows(IOException.class, () -> MosaicTiffWriter.open(file, 50_000, 50_000));
        assertTrue(String.valueOf(error.getMessage()).contains("a TIFF has less than 4 GiB"), error.getMessage());
        assertFalse(Files.exists(file));
    }
}
