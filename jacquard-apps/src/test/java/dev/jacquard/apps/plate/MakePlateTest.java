package dev.jacquard.apps.plate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.image.GrayImage;
import dev.jacquard.apps.image.MosaicTiffWriter;
import dev.jacquard.apps.image.TiffReader;
import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.run.SingleProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MakePlateTest {
    private static final String PROGRAM = """
            component: make-plate
            plate: {rows: 2, columns: 3}
            tile: {width: 60, height: 50}
            overlap: 0.3
            gain: 0
            noise: 0
            """;

    @TempDir
    Path folder;

    @Test
    void overlapsShowTheSameAtTheTruePositions() throws Exception {
        make("plate", PROGRAM);
        assertOverlapsAgree();
    }

    @Test
    void theSameSeedMakesTheSamePlate() throws Exception {
        make("plate", PROGRAM + "seed: 7\n");
        make("again", PROGRAM + "seed: 7\n");
        make("other", PROGRAM + "seed: 8\n");
        Path tile = Path.of("img_r002_c003.tif");
        assertEquals(
                -1,
                Files.mismatch(
                        folder.resolve("plate").resolve(tile),
                        folder.resolve("again").resolve(tile)));
        assertTrue(Files.mismatch(
                        folder.resolve("plate").resolve(tile),
                        folder.resolve("other").resolve(tile))
                >= 0);
    }

    @Test
    void aSmallMosaicIsContinued() throws Exception {
        Path mosaic = folder.resolve("mosaic.tif");
        try (MosaicTiffWriter writer = MosaicTiffWriter.open(mosaic, 40, 30)) {
            short[] samples = new short[1200];
            for (int i = 0; i < samples.length; i++) {
                samples[i] = (short) (i * 31);
            }
            writer.writeRows(samples, 30);
        }
        make("plate", PROGRAM + "mosaic: mosaic.tif\n");
        assertOverlapsAgree();
    }

    @Test
    void gainNoiseAndDepthAreApplied() throws Exception {
        make("plain", PROGRAM + "tile.bits: 8\n");
        make(
                "plate",
                PROGRAM.replace("gain: 0\n", "gain: 0.2\n").replace("noise: 0\n", "noise: 0.05\n") + "tile.bits: 8\n");
        GrayImage plain = TiffReader.read(folder.resolve("plain/img_r001_c001.tif"));
        GrayImage noisy = TiffReader.read(folder.resolve("plate/img_r001_c001.tif"));
        assertEquals(8, noisy.bits());
        double difference = 0;
        for (int i = 0; i < plain.samples().length; i++) {
            difference += Math.abs(plain.samples()[i] - noisy.samples()[i]);
        }
        double mean = difference / plain.samples().length;
        assertTrue(mean > 5 && mean < 40, "mean difference " + mean);
    }

    @Test
    void aMosaicThatIsNoGrayTiffIsRefused() throws Exception {
        Files.writeString(folder.resolve("mosaic.tif"), "no image");
        InputException error =
                assertThrows(InputException.class, () -> make("plate", PROGRAM + "mosaic: mosaic.tif\n"));
        assertTrue(error.getMessage().contains("mosaic.tif: not a TIFF"), error.getMessage());
        assertTrue(Files.notExists(folder.resolve("plate")), "nothing half-written");
    }

    @Test
    void drawsAreSpreadEvenly() {
        Seed seed = new Seed(1);
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < 10_000; i++) {
            double draw = seed.gaussian(i, 3);
            sum += draw;
            squares += draw * draw;
        }
        assertEquals(0, sum / 10_000, 0.03);
        assertEquals(1, squares / 10_000, 0.05);
    }

    private void make(String name, String yaml) throws Exception {
        Path file = Files.writeString(folder.resolve("program.yaml"), yaml);
        SingleProgram program = SingleProgram.load(file, List.of(), null);
        try (OutputFolder out = OutputFolder.open(folder.resolve(name))) {
            program.application().run(new Job(program.settings(), out, Progress.NONE, new Cancellation()));
            out.commit();
        }
    }

    /** The part of the second tile that the first one shows too, by the positions of the truth file. */
    private void assertOverlapsAgree() throws Exception {
        Path plate = folder.resolve("plate");
        List<String[]> truth = Files.readAllLines(plate.resolve("ground-truth.txt")).stream()
                .skip(1)
                .map(line -> line.split(" ", -1))
                .toList();
        assertEquals(6, truth.size());
        GrayImage left = TiffReader.read(plate.resolve(truth.get(0)[0]));
        GrayImage right = TiffReader.read(plate.resolve(truth.get(1)[0]));
        int dx = Integer.parseInt(truth.get(1)[1]) - Integer.parseInt(truth.get(0)[1]);
        int dy = Integer.parseInt(truth.get(1)[2]) - Integer.parseInt(truth.get(0)[2]);
        int row = Math.max(0, dy) + 5;
        int width = 60 - dx;
        int[] seenLeft = new int[width];
        int[] seenRight = new int[width];
        for (int x = 0; x < width; x++) {
            seenLeft[x] = left.sample(row, dx + x);
            seenRight[x] = right.sample(row - dy, x);
        }
        assertArrayEquals(seenLeft, seenRight, "offset " + dx + ", " + dy);
    }
}
