package dev.jacquard.apps.stitching;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreviewTest {
    @TempDir
    Path folder;

    @Test
    void aSmallImageIsShownWhole() throws IOException {
        BufferedImage image = preview(300, 20);
        assertEquals(300, image.getWidth());
        assertEquals(20, image.getHeight());
        assertEquals(0, image.getRaster().getSample(0, 0, 0));
        assertEquals(255, image.getRaster().getSample(299, 19, 0));
        assertEquals(127, image.getRaster().getSample(150, 10, 0), 1);
    }

    @Test
    void aLargeImageIsShrunkByAWholeFactor() throws IOException {
        BufferedImage image = preview(3300, 100);
        assertEquals(1100, image.getWidth());
        assertEquals(34, image.getHeight());
        assertEquals(127, image.getRaster().getSample(550, 33, 0), 1);
    }

    @Test
    void anEvenImageIsBlackNotAnError() throws IOException {
        Path file = folder.resolve("even.png");
        Preview preview = new Preview(4, 4);
        preview.addRows(new short[16], 4);
        preview.write(file);
        assertEquals(0, ImageIO.read(file.toFile()).getRaster().getSample(2, 2, 0));
    }

    @Test
    void missingRowsAreAnError() {
        Preview preview = new Preview(4, 4);
        preview.addRows(new short[12], 3);
        assertThrows(IllegalStateException.class, () -> preview.write(folder.resolve("p.png")));
    }

    /** A ramp from 1,000 at the left to 61,000 at the right, fed in uneven portions. */
    private BufferedImage preview(int width, int height) throws IOException {
        Preview preview = new Preview(width, height);
        short[] rows = new short[3 * width];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = (short) (1_000 + 60_000L * (i % width) / (width - 1));
        }
        for (int row = 0; row < height; row += 3) {
            preview.addRows(rows, Math.min(3, height - row));
        }
        Path file = folder.resolve("p.png");
        preview.write(file);
        return ImageIO.read(file.toFile());
    }
}
