package dev.jacquard.apps.stitching;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.apps.image.GrayImage;
import dev.jacquard.apps.image.MosaicTiffWriter;
import dev.jacquard.apps.image.TiffReader;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole application, from program file to output folder, on the bundled plate and on small ones made here. */
class StitchingTest {
    private static final Path BUNDLED = PlateRun.ROOT.resolve("examples/data/plate-5x5");

    @TempDir
    Path temp;

    @ParameterizedTest
    @ValueSource(strings = {"tree", "least-squares"})
    void everyTileOfTheBundledPlateIsExact(String optimise) throws Exception {
        PlateRun run = PlateRun.example("stitching", temp.resolve("out"), "optimise=" + optimise);
        assertEquals(25, run.positions().tiles().size());
        assertExact(PlateRun.truth(BUNDLED.resolve("ground-truth-bit-exact.txt")), run.positions());
        assertTrue(run.table("displacements.csv").stream().allMatch(row -> row[5].equals("true")));
    }

    private static void assertExact(Places truth, Places found) {
        assertEquals(truth.tiles(), found.tiles());
        for (String tile : truth.tiles()) {
            for (int axis = 0; axis < Places.AXES; axis++) {
                assertEquals(truth.at(tile, axis), found.at(tile, axis), tile + " axis " + axis);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.3, 0.4, 0.5, 0.7})
    void aWrongOverlapMakesNothingWrongTrusted(double overlap) throws Exception {
        PlateRun run = PlateRun.example("stitching", temp.resolve("out"), "overlap=" + overlap);
        Places truth = PlateRun.truth(BUNDLED.resolve("ground-truth-bit-exact.txt"));
        for (String[] row : run.table("displacements.csv")) {
            for (int axis = 0; axis < Places.AXES && row[5].equals("true"); axis++) {
                assertEquals(truth.step(row[0], row[1], axis), Integer.parseInt(row[2 + axis]), String.join(",", row));
            }
        }
    }

    @Test
    void theMosaicShowsEveryTileAtItsPlace() throws Exception {
        PlateRun run = PlateRun.example("stitching", temp.resolve("out"));
        GrayImage mosaic = TiffReader.read(run.file("mosaic.tif"));
        for (String tile : run.positions().tiles()) {
            GrayImage image = TiffReader.read(BUNDLED.resolve(tile));
            int x = (int) run.positions().at(tile, 0);
            int y = (int) run.positions().at(tile, 1);
            for (int row = 0; row < image.height(); row += 7) {
                for (int column = 0; column < image.width(); column++) {
                    // Neighbours are identical where they overlap, so that a mean of them is each of them.
                    assertEquals(image.sample(row, column), mosaic.sample(y + row, x + column), tile);
                }
            }
        }
    }

    @Test
    void allPromisedFilesAreThere() throws Exception {
        PlateRun run = PlateRun.example("stitching", temp.resolve("out"));
        try (Stream<Path> files = Files.list(temp.resolve("out"))) {
            assertEquals(
                    List.of(
                            "displacements.csv",
                            "mosaic.png",
                            "mosaic.tif",
                            "positions.csv",
                            "profile.svg",
                            "report.json",
                            "trace.json"),
                    files.map(file -> file.getFileName().toString()).sorted().toList());
        }
        assertEquals(
                "file,row,column,x,y,correlation",
                Files.readAllLines(run.file("positions.csv")).getFirst());
        assertEquals(
                "from,to,dx,dy,correlation,trusted",
                Files.readAllLines(run.file("displacements.csv")).getFirst());
        assertTrue(Files.readString(run.file("profile.svg")).contains("</svg>"));
        String trace = Files.readString(run.file("trace.json"));
        assertTrue(trace.contains("\"read\"") && trace.contains("\"measure\"") && trace.contains("compose (4,4)"));
    }

    @Test
    void positionsAreTheSameForAnyNumberOfWorkersAndAnyTraversal() throws Exception {
        byte[] expected = positions("base", "workers=1", "traversal=row");
        int first = 1;
        for (TileGrid.Traversal traversal : TileGrid.Traversal.values()) {
            first = 3 - first; // 2 and 4 workers, or 1 and 3, in turn
            String name = traversal.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
            int smallest = traversal.smallestPool(5, 5);
            for (int workers = first; workers <= 4; workers += 2) {
                String[] overrides = {
                    "workers=" + workers, "traversal=" + name, "transforms=" + (smallest + workers - 1)
                };
                assertArrayEquals(expected, positions(name + workers, overrides), name + " with " + workers);
            }
        }
    }

    private byte[] positions(String folder, String... overrides) throws Exception {
        PlateRun run = PlateRun.example("stitching", temp.resolve(folder), overrides);
        return Files.readAllBytes(run.file("positions.csv"));
    }

    @ParameterizedTest
    @CsvSource({"diagonal-serpentine,7", "diagonal,7", "row,7", "column-serpentine,9"})
    void liveTransformsNeverExceedThePool(String traversal, int pool) throws Exception {
        Report report = PlateRun.run(
                "stitching",
                temp.resolve("out"),
                new Cancellation(),
                Progress.NONE,
                "traversal=" + traversal,
                "transforms=" + pool);
        Object peak = report.values().get("peakLiveTransforms");
        assertTrue(peak instanceof Integer live && live <= pool && live >= 2, "peak " + peak);
        assertEquals(pool, report.values().get("transforms"));
    }

    @Test
    void aPoolThatCannotWorkIsRefusedWithTheSmallestThatDoes() {
        int smallest = TileGrid.Traversal.DIAGONAL_SERPENTINE.smallestPool(5, 5);
        InputException e = assertThrows(
                InputException.class,
                () -> PlateRun.example("stitching", temp.resolve("out"), "transforms=" + (smallest - 1)));
        assertTrue(e.getMessage().contains("at least " + smallest), e.getMessage());
        assertFalse(Files.exists(temp.resolve("out")), "nothing is left behind");
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1,4", "3,1", "2,2"})
    void smallGridsWork(int rows, int columns) throws Exception {
        Places truth = plate(rows, columns, 0.3);
        assertExact(truth, stitch(rows, columns).positions());
    }

    @Test
    void tilesWithoutOverlapAreDoneAndTheirPairsNamed() throws Exception {
        noise(2, 2);
        Report report = PlateRun.run(
                "stitching",
                temp.resolve("out"),
                new Cancellation(),
                Progress.NONE,
                "tiles.folder=" + temp.resolve("plate"),
                "tiles.pattern=img_r{rrr}_c{ccc}.tif",
                "grid.rows=2",
                "grid.columns=2");
        assertEquals(0, report.values().get("pairsTrusted"));
        String text = String.join("\n", report.lines());
        assertTrue(text.contains("img_r001_c001.tif - img_r001_c002.tif"), text);
        assertTrue(text.contains("placed by the stage alone"), text);
    }

    @Test
    void groupsOfTilesThatNoTrustedPairJoinsAreCounted() throws Exception {
        Files.createDirectories(temp.resolve("plate"));
        for (int column = 1; column <= 2; column++) {
            Path half = temp.resolve("half" + column);
            PlateRun.example(
                    "make-plate",
                    half,
                    "plate.rows=2",
                    "plate.columns=1",
                    "tile.width=128",
                    "tile.height=120",
                    "overlap=0.3",
                    "seed=" + column);
            for (int row = 1; row <= 2; row++) {
                Files.move(
                        half.resolve("img_r00" + row + "_c001.tif"),
                        temp.resolve("plate/img_r00" + row + "_c00" + column + ".tif"));
            }
        }
        Report report = PlateRun.run("stitching", temp.resolve("out"), new Cancellation(), Progress.NONE, made(2, 2));
        assertEquals(2, report.values().get("pairsTrusted"));
        assertEquals(List.of(), report.values().get("tilesPlacedByStage"));
        assertEquals(2, report.values().get("groups"));
        assertTrue(String.join("\n", report.lines()).contains("leave 2 groups of tiles apart"));
    }

    @Test
    void aDamagedTileIsBadInputAndLeavesNothing() throws Exception {
        plate(2, 3, 0.3);
        Path victim = temp.resolve("plate/img_r002_c002.tif");
        byte[] bytes = Files.readAllBytes(victim);
        Files.write(victim, java.util.Arrays.copyOf(bytes, bytes.length - 1000));
        InputException e = assertThrows(InputException.class, () -> stitch(2, 3));
        assertTrue(
                e.getMessage().contains("img_r002_c002.tif") && e.getMessage().contains("truncated"), e.getMessage());
        assertFalse(Files.exists(temp.resolve("out")));
    }

    @Test
    void aTileThatVanishesDuringTheRunIsNamed() throws Exception {
        plate(3, 3, 0.3);
        Progress killer = new Progress() {
            @Override
            public void start(String stage, long steps) {
                if (stage.equals("mosaic")) {
                    try {
                        Files.delete(temp.resolve("plate/img_r003_c003.tif"));
                    } catch (java.io.IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                }
            }

            @Override
            public void advance(long steps) {}
        };
        InputException e = assertThrows(
                InputException.class,
                () -> PlateRun.run("stitching", temp.resolve("out"), new Cancellation(), killer, made(3, 3)));
        assertTrue(
                e.getMessage().endsWith("img_r003_c003.tif: it was there when it was checked and is gone"),
                e.getMessage());
        assertFalse(Files.exists(temp.resolve("out")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"displacements", "mosaic"})
    void cancellingStopsTheRunAndLeavesNothing(String when) throws Exception {
        Cancellation cancellation = new Cancellation();
        Progress canceller = new Progress() {
            private String stage = "";

            @Override
            public void start(String next, long steps) {
                stage = next;
            }

            @Override
            public void advance(long steps) {
                if (stage.equals(when)) {
                    cancellation.cancel();
                }
            }
        };
        assertThrows(
                CancellationException.class,
                () -> PlateRun.run("stitching", temp.resolve("out"), cancellation, canceller));
        assertFalse(Files.exists(temp.resolve("out")));
    }

    @Test
    void anAbsentLibraryIsNamedWithWhatToInstall() {
        boolean absent = dev.jacquard.numerics.fft.Ffts.providers().stream()
                .anyMatch(p -> p.name().equals("fftw") && p.absence().isPresent());
        assumeTrue(absent, "FFTW is installed here");
        InputException e = assertThrows(
                InputException.class, () -> PlateRun.example("stitching", temp.resolve("out"), "fft=fftw"));
        assertTrue(e.getMessage().contains("fftw"), e.getMessage());
    }

    private PlateRun stitch(int rows, int columns) throws Exception {
        return PlateRun.example("stitching", temp.resolve("out"), made(rows, columns));
    }

    private String[] made(int rows, int columns) {
        return new String[] {
            "tiles.folder=" + temp.resolve("plate"),
            "tiles.pattern=img_r{rrr}_c{ccc}.tif",
            "grid.rows=" + rows,
            "grid.columns=" + columns,
            "grid.order=row"
        };
    }

    /** Cuts a plate of known truth into {@code plate}. */
    private Places plate(int rows, int columns, double overlap) throws Exception {
        PlateRun.example(
                "make-plate",
                temp.resolve("plate"),
                "plate.rows=" + rows,
                "plate.columns=" + columns,
                "tile.width=128",
                "tile.height=120",
                "overlap=" + overlap,
                "seed=5");
        return PlateRun.truth(temp.resolve("plate/ground-truth.txt"));
    }

    /** Tiles that have nothing to do with each other. */
    private void noise(int rows, int columns) throws Exception {
        Files.createDirectories(temp.resolve("plate"));
        Random random = new Random(11);
        for (int row = 1; row <= rows; row++) {
            for (int column = 1; column <= columns; column++) {
                Path file = temp.resolve("plate/img_r00" + row + "_c00" + column + ".tif");
                try (MosaicTiffWriter writer = MosaicTiffWriter.open(file, 96, 80)) {
                    short[] samples = new short[96 * 80];
                    for (int i = 0; i < samples.length; i++) {
                        samples[i] = (short) random.nextInt(65_536);
                    }
                    writer.writeRows(samples, 80);
                }
            }
        }
    }
}
