package dev.jacquard.expressions.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.drawing.Raster;
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
    private static final int INK = 0x202020;

    @TempDir
    Path folder;

    /** Returns the points alone. */
    private BufferedImage image(FieldStore fields, Tag<?> tag, Slice slice) throws IOException {
        Path file = folder.resolve("p.png");
        fields.image(tag, slice.plain(), file);
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
            try (FieldFiles.Animation animation =
                    fields.files().animation(T, Slice.z(0).plain(), file, 100)) {
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

    private static BufferedImage framed(FieldStore fields, Tag<?> tag, Slice slice, Path file, double time)
            throws IOException {
        fields.files().image(tag, slice, file, time);
        return ImageIO.read(file.toFile());
    }

    /** Returns true if a text stands somewhere in a picture, dark on white. */
    private static boolean shows(BufferedImage image, String text) {
        int scale = 2;
        Raster glyphs = new Raster(Raster.width(text, scale), Raster.CAPITAL * scale, 0).text(0, 0, text, scale, 1);
        for (int top = 0; top <= image.getHeight() - glyphs.rows(); top++) {
            for (int left = 0; left <= image.getWidth() - glyphs.columns(); left++) {
                if (isAt(image, glyphs, left, top)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isAt(BufferedImage image, Raster glyphs, int left, int top) {
        for (int i = 0; i < glyphs.pixels().length; i++) {
            int colour = colour(image, left + i % glyphs.columns(), top + i / glyphs.columns());
            if (colour != (glyphs.pixels()[i] == 1 ? INK : WHITE)) {
                return false;
            }
        }
        return true;
    }

    private static void requireShown(BufferedImage image, String... texts) {
        for (String text : texts) {
            assertTrue(shows(image, text), "no \"" + text + "\" in the picture");
        }
    }

    @Test
    void picturesSayNameTimeAxesRangeAndColours() throws IOException {
        Path file = folder.resolve("framed.png");
        Tag<Cell> omega = Tag.cell("∂ω/∂t");
        try (Session session = Session.open();
                FieldStore fields = FieldStore.open(
                        session, Grid.of(8, 4, 3).lengths(2, 1, 3).origin(0, 5, 0))) {
            fields.set(omega, (x, y, z) -> x);
            BufferedImage image = framed(fields, omega, Slice.z(1), file, 0.25);
            requireShown(image, "∂ω/∂t, z = 1.5", "t = 0.25", "0.125", "1.88", "0.5", "1", "cubehelix");
            requireShown(image, "x", "0", "2", "y", "5", "6");
            assertFalse(shows(image, "NaN"));
            fields.set(omega, (x, y, z) -> x < 1 ? -1e-7 : x > 1.8 ? Double.NaN : 2e-7);
            image = framed(fields, omega, Slice.z(1).colours(ColourMap.COOL_WARM), file, Double.NaN);
            requireShown(image, "-2e-7", "2e-7", "from -1e-7 to 2e-7", "cool-warm, red: NaN");
            assertFalse(shows(image, "t ="));
            fields.set(omega, (x, y, z) -> Double.NaN);
            requireShown(framed(fields, omega, Slice.z(1), file, 0), "no finite value", "t = 0");
            image = framed(fields, omega, Slice.z(1).range(1000, 1000.001), file, 0);
            requireShown(image, "1000", "1000.001", "no finite value");
        }
    }

    /** All pictures of an animation have the layout of the first, and each its time and its values. */
    @Test
    void narrowFieldsAndAnimationsAreFramedToo() throws IOException {
        Path file = folder.resolve("film.png");
        try (Session session = Session.open();
                FieldStore fields = FieldStore.open(session, Grid.of(2, 300))) {
            fields.set(T, (x, y, z) -> 3);
            try (FieldFiles.Animation film = fields.files().animation(T, Slice.z(0), file, 40)) {
                film.frame(0);
                fields.set(T, (x, y, z) -> y);
                film.frame(12.5);
            }
            requireShown(ImageIO.read(file.toFile()), "t = 0", "3", "from 3 to 3");
            BufferedImage last = framed(fields, T, Slice.z(0), file, 12.5);
            requireShown(last, "T", "t = 12.5", "0.5", "300");
            assertTrue(last.getWidth() > 300, "width " + last.getWidth());
            fields.set(T, (x, y, z) -> Double.NaN);
            requireShown(framed(fields, T, Slice.z(0), file, 0), "cubehelix, red: NaN, no finite value");
        }
        try (Session session = Session.open();
                FieldStore fields = FieldStore.open(session, Grid.of(300))) {
            fields.set(T, (x, y, z) -> x);
            BufferedImage line = framed(fields, T, Slice.z(0), file, 0);
            requireShown(line, "0.5", "300", "x");
            assertTrue(line.getHeight() > 100, "height " + line.getHeight());
        }
    }

    /** Moreland's map: his two ends, light gray between them, and blue where values are below zero. */
    @Test
    void valuesOfBothSignsAreBlueAndRed() throws IOException {
        try (Session session = Session.open();
                FieldStore fields = FieldStore.open(session, Grid.of(513, 2))) {
            fields.set(T, (x, y, z) -> x - 256.5);
            BufferedImage image = image(fields, T, Slice.z(0).colours(ColourMap.COOL_WARM));
            requireNear(0x3B4CC0, colour(image, 0, 0));
            requireNear(0xDDDDDD, colour(image, 256, 0));
            requireNear(0xB40426, colour(image, 512, 0));
            fields.set(T, (x, y, z) -> x < 256 ? 0 : 1);
            requireNear(0xDDDDDD, colour(image(fields, T, Slice.z(0).colours(ColourMap.COOL_WARM)), 0, 0));
        }
    }

    private static void requireNear(int expected, int colour) {
        for (int shift = 0; shift <= 16; shift += 8) {
            int error = Math.abs((expected >> shift & 0xFF) - (colour >> shift & 0xFF));
            assertTrue(error <= 4, Integer.toHexString(colour) + " is not " + Integer.toHexString(expected));
        }
    }
}
