package dev.jacquard.apps.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.image.TiffForm.Page;
import dev.jacquard.apps.image.TiffHeader.ImageFormatException;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The forms of TIFF that microscopes and their programs write. */
class TiffFormsTest {
    private static final int WIDTH = 61;
    private static final int HEIGHT = 43;

    @TempDir
    Path folder;

    private static TiffForm form(Samples samples) {
        return new TiffForm(samples, ByteOrder.LITTLE_ENDIAN, 1, 1, 0, 16, false);
    }

    private static short[] values(Samples samples, int seed) {
        Random random = new Random(seed);
        short[] values = new short[WIDTH * HEIGHT];
        int mask = samples == Samples.UNSIGNED_8 ? 0xFF : samples == Samples.UNSIGNED_12 ? 0xFFF : 0xFFFF;
        for (int i = 0; i < values.length; i++) {
            values[i] = (short) ((i % WIDTH * 700 + i / WIDTH * 900 + random.nextInt(500)) & mask);
        }
        return values;
    }

    private static Page page(short[] values) {
        return new Page(WIDTH, HEIGHT, values, Map.of());
    }

    private Path file(TiffForm form, String description, Page... pages) throws IOException {
        return Files.write(folder.resolve("a.tif"), form.write(description, List.of(pages)));
    }

    private static short[] expected(Samples samples, short[] values) {
        short[] image = values.clone();
        if (samples == Samples.SIGNED_16) {
            for (int i = 0; i < image.length; i++) {
                image[i] ^= (short) 0x8000;
            }
        }
        if (samples == Samples.FLOAT_32) { // from the least to the largest
            int least = 0xFFFF;
            int largest = 0;
            for (short value : values) {
                least = Math.min(least, value & 0xFFFF);
                largest = Math.max(largest, value & 0xFFFF);
            }
            for (int i = 0; i < image.length; i++) {
                image[i] = (short) Math.round(((values[i] & 0xFFFF) - least) * (65_535.0 / (largest - least)));
            }
        }
        return image;
    }

    @ParameterizedTest
    @EnumSource(Samples.class)
    void readsAllFormsOfSamples(Samples samples) throws IOException {
        short[] values = values(samples, 1);
        int read = 0;
        for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
            for (int compression : new int[] {1, 5, 8, 32773}) {
                for (int predictor : predictors(samples, compression)) {
                    for (int[] block : new int[][] {{0, HEIGHT}, {0, 7}, {16, 32}, {64, 48}}) {
                        for (boolean big : new boolean[] {false, true}) {
                            TiffForm form =
                                    new TiffForm(samples, order, compression, predictor, block[0], block[1], big);
                            GrayImage image = TiffReader.read(file(form, "", page(values)));
                            assertArrayEquals(expected(samples, values), image.samples(), form.toString());
                            assertEquals(samples == Samples.UNSIGNED_8 ? 8 : 16, image.bits());
                            read++;
                        }
                    }
                }
            }
        }
        assertTrue(read >= 64, "forms: " + read);
    }

    private static int[] predictors(Samples samples, int compression) {
        if (compression == 1 || compression == 32773 || samples == Samples.UNSIGNED_12) {
            return new int[] {1};
        }
        return samples == Samples.FLOAT_32 ? new int[] {1, 2, 3} : new int[] {1, 2};
    }

    @Test
    void aFileWithSeveralPagesIsRefusedWithWhatItHas() throws IOException {
        short[] values = values(Samples.UNSIGNED_16, 1);
        Path file = file(form(Samples.UNSIGNED_16), "", page(values), page(values), page(values));
        assertRefused(file, PlaneChoice.ONLY, "it has 3 pages; choose with tiles.plane, 1 to 3");
        assertRefused(file, PlaneChoice.parse(0, "4", false), "there is no page 4: the last one is 3");
        assertRefused(file, PlaneChoice.parse(2, "1", false), "there is no channel 2: the last one is 1");
    }

    /** Two channels, three planes, two times: each page has values of its own. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ImageJ=1.54p\\nimages=12\\nchannels=2\\nslices=3\\nframes=2\\nhyperstack=true\\n | CZT",
                "<?xml version=\"1.0\"?><OME><Image><Pixels DimensionOrder=\"XYCZT\" SizeC=\"2\" SizeZ=\"3\" SizeT=\"2\"/>"
                        + "</Image></OME> | CZT",
                "<OME:OME xmlns:OME=\"x\"><OME:Image><OME:Pixels DimensionOrder=\"XYZTC\" SizeC=\"2\" SizeZ=\"3\""
                        + " SizeT=\"2\"><OME:TiffData/></OME:Pixels></OME:Image></OME:OME> | ZTC",
                "<OME><Image><Pixels DimensionOrder=\"XYTCZ\" SizeC=\"2\" SizeZ=\"3\" SizeT=\"2\">"
                        + "<TiffData FirstZ=\"1\" FirstC=\"1\" FirstT=\"1\" IFD=\"0\" PlaneCount=\"5\"/>"
                        + "<TiffData IFD=\"5\" PlaneCount=\"7\"/></Pixels></Image></OME> | moved"
            })
    void planesAreFoundByTheDescription(String description, String order) throws IOException {
        Page[] pages = new Page[12];
        for (int i = 0; i < pages.length; i++) {
            pages[i] = page(values(Samples.UNSIGNED_16, i));
        }
        Path file = file(form(Samples.UNSIGNED_16), description.replace("\\n", "\n"), pages);
        for (int channel = 0; channel < 2; channel++) {
            for (int plane = 0; plane < 3; plane++) {
                for (int time = 0; time < 2; time++) {
                    int number = switch (order) {
                        case "CZT" -> channel + 2 * (plane + 3 * time);
                        case "ZTC" -> plane + 3 * (time + 2 * channel);
                        default -> {
                            int inOrder = time + 2 * (channel + 2 * plane);
                            yield inOrder >= 7 ? inOrder - 7 : inOrder + 5; // the first five pages show the last planes
                        }
                    };
                    PlaneChoice choice = PlaneChoice.parse(channel + 1, "z" + (plane + 1) + " t" + (time + 1), false);
                    assertArrayEquals(
                            pages[number].values(),
                            TiffReader.read(TiffHeader.probe(file, choice)).samples(),
                            choice.toString());
                }
            }
        }
        assertRefused(
                file,
                PlaneChoice.ONLY,
                "it has 12 pages; choose with tiles.channel, 1 to 2 and tiles.plane, z1 to z3 (or all of them with"
                        + " tiles.projection: max) and tiles.plane, t1 to t2");
    }

    @Test
    void aProjectionHasTheLargestSampleOfAllPlanes() throws IOException {
        short[] largest = new short[WIDTH * HEIGHT];
        List<Page> pages = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            short[] values = values(Samples.UNSIGNED_16, i);
            pages.add(page(values));
            for (int at = 0; at < values.length; at++) {
                largest[at] = (short) Math.max(largest[at] & 0xFFFF, values[at] & 0xFFFF);
            }
        }
        Path file = file(form(Samples.UNSIGNED_16), "", pages.toArray(Page[]::new));
        TiffHeader header = TiffHeader.probe(file, new PlaneChoice(0, 0, 0, true));
        assertArrayEquals(largest, TiffReader.read(header).samples());
    }

    @Test
    void aStackWithoutDirectoriesIsReadAsImageJWritesIt() throws IOException {
        short[] first = values(Samples.UNSIGNED_16, 1);
        short[] both = Arrays.copyOf(first, 2 * first.length);
        System.arraycopy(values(Samples.UNSIGNED_16, 2), 0, both, first.length, first.length);
        TiffForm form = new TiffForm(Samples.UNSIGNED_16, ByteOrder.BIG_ENDIAN, 1, 1, 0, 2 * HEIGHT, false);
        Map<Integer, long[]> ofOne = Map.of(257, new long[] {HEIGHT}, 279, new long[] {2L * WIDTH * HEIGHT});
        Path file = file(form, "ImageJ=1.54p\nimages=2\nslices=2\n", new Page(WIDTH, 2 * HEIGHT, both, ofOne));
        assertArrayEquals(
                values(Samples.UNSIGNED_16, 2),
                TiffReader.read(TiffHeader.probe(file, PlaneChoice.parse(0, "2", false)))
                        .samples());
        assertRefused(file, PlaneChoice.ONLY, "it has 2 pages");
    }

    @Test
    void thumbnailsAndMasksAreNoPages() throws IOException {
        short[] values = values(Samples.UNSIGNED_16, 1);
        Page thumbnail = new Page(2, 1, new short[2], Map.of(254, new long[] {1}));
        Page mask = new Page(WIDTH, HEIGHT, new short[WIDTH * HEIGHT], Map.of(254, new long[] {4}));
        Path file = file(form(Samples.UNSIGNED_16), "", thumbnail, page(values), mask);
        assertArrayEquals(values, TiffReader.read(file).samples());
        assertRefused(
                file(form(Samples.UNSIGNED_16), "", thumbnail),
                PlaneChoice.ONLY,
                "it has only pages that are thumbnails or masks");
    }

    @Test
    void pagesThatDifferAreRefused() throws IOException {
        short[] values = values(Samples.UNSIGNED_16, 1);
        Page small = new Page(2, 1, new short[2], Map.of());
        Path file = file(form(Samples.UNSIGNED_16), "", page(values), small);
        assertRefused(
                file,
                new PlaneChoice(0, 0, 0, true),
                "its pages differ: page 2 has 2 x 1 pixels, page 1 " + WIDTH + " x " + HEIGHT);
    }

    @Test
    void byteCountsMayBeZeroOrTooMany() throws IOException {
        for (int compression : new int[] {1, 5, 8, 32773}) {
            short[] values = values(Samples.UNSIGNED_16, 1);
            TiffForm form = new TiffForm(Samples.UNSIGNED_16, ByteOrder.LITTLE_ENDIAN, compression, 1, 0, 16, false);
            Page zeros = new Page(WIDTH, HEIGHT, values, Map.of(279, new long[3]));
            assertArrayEquals(values, TiffReader.read(file(form, "", zeros)).samples(), "compression " + compression);
        }
        Page more = new Page(2, 1, new short[] {1, 2}, Map.of(279, new long[] {4, 99}));
        assertArrayEquals(
                new short[] {1, 2},
                TiffReader.read(file(form(Samples.UNSIGNED_16), "", more)).samples());
    }

    @Test
    void aGrayPaletteIsUndone() throws IOException {
        long[] palette = new long[3 * 256];
        for (int i = 0; i < palette.length; i++) {
            palette[i] = 65_535 - 200L * (i % 256);
        }
        short[] values = values(Samples.UNSIGNED_8, 1);
        Page page = new Page(WIDTH, HEIGHT, values, Map.of(262, new long[] {3}, 320, palette));
        GrayImage image = TiffReader.read(file(form(Samples.UNSIGNED_8), "", page));
        assertEquals(16, image.bits());
        for (int i = 0; i < values.length; i++) {
            assertEquals(65_535 - 200 * values[i], image.samples()[i] & 0xFFFF);
        }
        palette[7]++;
        assertRefused(file(form(Samples.UNSIGNED_8), "", page), PlaneChoice.ONLY, "an image with a colour palette");
    }

    /** Damaged files end in one line, or in an image of their size. */
    @Test
    void mutatedFilesAreReadOrRefused() throws IOException {
        int refused = 0;
        for (int seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            Samples samples = List.of(Samples.values()).get(random.nextInt(Samples.values().length));
            int compression = new int[] {1, 5, 8, 32773}[random.nextInt(4)];
            TiffForm form = new TiffForm(
                    samples, ByteOrder.BIG_ENDIAN, compression, 1, random.nextInt(2) * 16, 16, random.nextBoolean());
            byte[] bytes = form.write("", List.of(page(values(samples, seed))));
            for (int i = 0; i <= random.nextInt(3); i++) {
                int at = random.nextBoolean() ? random.nextInt(bytes.length) : bytes.length - 1 - random.nextInt(300);
                bytes[at] = (byte) random.nextInt(256);
            }
            Path file = Files.write(folder.resolve("a.tif"), bytes);
            try {
                GrayImage image = TiffReader.read(file);
                assertEquals(image.width() * image.height(), image.samples().length);
            } catch (ImageFormatException e) {
                refused++;
                assertTrue(
                        e.getMessage().startsWith(file + ": ")
                                && e.getMessage().lines().count() == 1,
                        e.getMessage());
            }
        }
        assertTrue(refused > 500, "refused: " + refused);
    }

    private static void assertRefused(Path file, PlaneChoice choice, String reason) {
        ImageFormatException error = assertThrows(ImageFormatException.class, () -> TiffHeader.probe(file, choice));
        assertTrue(error.getMessage().contains(reason), error.getMessage());
    }
}
