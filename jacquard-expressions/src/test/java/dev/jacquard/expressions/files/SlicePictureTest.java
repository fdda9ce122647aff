package dev.jacquard.expressions.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.FaceX;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.testkit.Messages;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pictures show the points of their plane where they lie, in colours of their values. */
class SlicePictureTest {
    private static final Tag<Cell> T = Tag.cell("T");
    private static final int RED = 0xFF0000;
    private static final int WHITE = 0xFFFFFF;

    @TempDir
    Path folder;

    private BufferedImage image(FieldStore fields, Tag<?> tag, Slice slice) throws IOException {
        Path file = folder.resolve("p.png");
        fields.image(tag, slice, file);
        return ImageIO.read(file.toFile());
    }

    private static int colour(BufferedImage image, int x, int y) {
        return image.getRGB(x, y) & WHITE;
    }

    /** Where the one point with a high value lies in the picture. */
    private void requireBright(FieldStore fields, Slice slice, int points, int rows, int i, int j) throws IOException {
        BufferedImage image = image(fields, T, slice);
        int factor = 512 / Math.max(points, rows);
        assertEquals(points * factor, image.getWidth());
        assertEquals(rows * factor, image.getHeight());
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                boolean bright = x / factor == i && (image.getHeight() - 1 - y) / factor == j;
                assertEquals(bright ? WHITE : 0, colour(image, x, y), "pixel " + x + ", " + y + " of " + slice);
            }
        }
    }

    @Test
    void planesAreShownWithTheirSecondAxisUpwards() throws IOException {
        try (Session session = Session.open();
                FieldStore fields = FieldStore.open(session, Grid.of(5, 4, 3).ghosts(1))) {
            fields.set(T, (x, y, z) -> x == 3.5 && y == 0.5 && z == 1.5 ? 1 : 0);
            requireBright(fields, Slice.z(1), 5, 4, 3, 0);
            requireBright(fields, Slice.y(0), 5, 3, 3, 1);
            requireBright(fields, Slice.x(3), 4, 3, 0, 1);
        }
    }

    @Test
    void coloursGrowLighterWithTheValue() throws IOException {
        try (Session session = Session.open();
                FieldStore fields = FieldStore.open(session, Grid.of(600, 2))) {
            fields.set(T, (x, y, z) -> x < 10 ? Double.NaN : x < 20 ? Double.NEGATIVE_INFINITY : x);
            BufferedImage image = image(fields, T, Slice.z(0));
            assertEquals(600, image.getWidth());
            assertEquals(RED, colour(image, 0, 0));
            assertEquals(0, colour(image, 15, 1));
            assertEquals(WHITE, colour(image, 599, 1));
            double before = -1;
            for (int x = 20; x < 600; x++) {
                int rgb = colour(image, x, 0);
                double light = 0.30 * (rgb >> 16) + 0.59 * (rgb >> 8 & 0xFF) + 0.11 * (rgb & 0xFF);
                assertTrue(light > before - 3, "lightness at " + x + ": " + before + " to " + light);
                before = light;
            }
            assertTrue(colour(image, 200, 0) != colour(image, 210, 0));
            BufferedImage part = image(fields, T, Slice.z(0).range(100, 200));
            assertEquals(0, colour(part, 99, 0));
            assertEquals(WHITE, colour(part, 201, 0));
            assertThrows(IllegalArgumentException.class, () -> Slice.z(0).range(2, 1));
        }
    }

    @Test
    void facesAndEvenFieldsAreShownToo() throws IOException {
        Tag<FaceX> u = Tag.faceX("u");
        try (Session session = Session.open();
                FieldStore fields = FieldStore.open(session, Grid.of(7))) {
            fields.set(u, (x, y, z) -> 3);
            BufferedImage image = image(fields, u, Slice.z(0));
            assertEquals(512, image.getWidth());
            assertEquals(64, image.getHeight());
            assertEquals(colour(image, 0, 0), colour(image, 511, 63));
            fields.set(u, (x, y, z) -> Double.NaN);
            assertEquals(RED, colour(image(fields, u, Slice.z(0)), 511, 63));
        }
    }

    @Test
    void wrongSlicesAreRefused() throws IOException {
        try (Session session = Session.open();
                FieldStore fields = FieldStore.open(session, Grid.of(5, 4))) {
            fields.set(T, (x, y, z) -> 0);
            Path file = folder.resolve("p.png");
            Messages.assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> fields.image(T, Slice.y(4), file)),
                    "\"T\" has no slice y = 4: there are 4, from 0 on");
            assertThrows(IllegalArgumentException.class, () -> fields.image(T, Slice.z(1), file));
            assertThrows(IllegalArgumentException.class, () -> fields.image(Tag.faces("u"), Slice.z(0), file));
            assertFalse(Files.exists(file));
        }
    }

    @Test
    void animationsHaveAFrameForEachCall() throws IOException {
        Path file = folder.resolve("t.png");
        try (Session session = Session.open();
                FieldStore fields = FieldStore.open(session, Grid.of(8, 8))) {
            fields.set(T, (x, y, z) -> x);
            try (FieldFiles.Animation animation = fields.files().animation(T, Slice.z(0), file, 100)) {
                animation.frame();
                fields.set(T, (x, y, z) -> 2 * x);
                animation.frame();
                assertFalse(Files.exists(file), "not before it is whole");
            }
            String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
            assertEquals(2, bytes.charAt(bytes.indexOf("acTL") + 7));
            assertEquals(3, bytes.split("fcTL", -1).length);
            BufferedImage first = ImageIO.read(file.toFile());
            assertEquals(WHITE, colour(first, 511, 0));
            Path none = folder.resolve("none.png");
            fields.files().animation(T, Slice.z(0), none, 100).close();
            assertFalse(Files.exists(none), "no frame, no file");
        }
        try (var left = Files.list(folder)) {
            assertEquals(1, left.count());
        }
    }
}
