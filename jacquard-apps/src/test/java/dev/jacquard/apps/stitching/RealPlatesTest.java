package dev.jacquard.apps.stitching;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.TestData;
import dev.jacquard.numerics.fft.FftProvider;
import dev.jacquard.numerics.fft.Ffts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plates that are not bundled, through the whole application, with every FFT library that is there. */
class RealPlatesTest {
    @TempDir
    Path temp;

    static Stream<String> libraries() {
        return Ffts.providers().stream()
                .filter(provider -> provider.absence().isEmpty())
                .map(FftProvider::name);
    }

    private static Path plate(String name) {
        return TestData.find("stitching/" + name);
    }

    private PlateRun stitch(Path plate, String pattern, int rows, int columns, String... more) throws Exception {
        List<String> overrides = new java.util.ArrayList<>(List.of(
                "tiles.folder=" + plate,
                "tiles.pattern=" + pattern,
                "grid.rows=" + rows,
                "grid.columns=" + columns,
                "grid.order=row"));
        overrides.addAll(List.of(more));
        return PlateRun.example("stitching", temp.resolve("out"), overrides.toArray(String[]::new));
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void plainCorrelationGetsThePairsThatItCan(String fft) throws Exception {
        Path plate = plate("plate-5x5");
        PlateRun run = PlateRun.example("stitching", temp.resolve("out"), "peaks=1", "optimise=none", "fft=" + fft);
        Places truth = PlateRun.truth(plate.resolve("ground-truth-bit-exact.txt"));
        Set<String> reachable = new HashSet<>();
        for (String line : Files.readAllLines(plate.resolve("relative-positions-no-optimization-1.txt"))) {
            String[] f = line.trim().split(",\\s*", -1);
            if (Integer.parseInt(f[4]) == truth.step(f[2], f[1], 0)
                    && Integer.parseInt(f[5]) == truth.step(f[2], f[1], 1)) {
                reachable.add(f[2] + f[1]);
            }
        }
        assertEquals(29, reachable.size());
        for (String[] row : run.table("displacements.csv")) {
            for (int axis = 0; axis < Places.AXES && reachable.contains(row[0] + row[1]); axis++) {
                assertEquals(truth.step(row[0], row[1], axis), Integer.parseInt(row[2 + axis]), row[0] + " " + row[1]);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void recutIsWithinOnePixel(String fft) throws Exception {
        Path plate = plate("recut-8x8");
        PlateRun run = stitch(plate, "img_r{rrr}_c{ccc}.tif", 8, 8, "fft=" + fft);
        assertNear(PlateRun.truth(plate.resolve("ground-truth.txt")), run.positions(), 1);
    }

    /** Whether all tiles lie where they should, seen from the tile that the oracle has furthest to the top left. */
    private static void assertNear(Places truth, Places found, double tolerance) {
        assertEquals(truth.tiles(), found.tiles());
        String origin = truth.tiles().stream()
                .min(Comparator.comparingDouble(tile -> truth.at(tile, 0) + truth.at(tile, 1)))
                .orElseThrow();
        for (int axis = 0; axis < Places.AXES; axis++) {
            for (String tile : truth.tiles()) {
                double off = found.step(origin, tile, axis) - truth.step(origin, tile, axis);
                assertTrue(Math.abs(off) <= tolerance, tile + " is off by " + off + " along axis " + axis);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void speckleIsWithinOneAndAHalfPixels(String fft) throws Exception {
        for (String optimise : List.of("tree", "least-squares")) {
            speckle(fft, optimise);
        }
    }

    private void speckle(String fft, String optimise) throws Exception {
        Path plate = plate("speckle-3x4");
        PlateRun run = stitch(
                plate,
                "x100_epr-jerem_10pct_001_A{ppp}_I.tif",
                3,
                4,
                "grid.serpentine=true",
                "fft=" + fft,
                "optimise=" + optimise);
        assertNear(PlateRun.truth(plate.resolve("TileConfiguration_uncorrected.txt")), run.positions(), 1.5);
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void onTheHardPlateNothingWrongIsTrusted(String fft) throws Exception {
        Path plate = plate("hard-3x3");
        PlateRun run = stitch(plate, "corrected_speckle_image_A{pp}.tif", 3, 3, "grid.serpentine=true", "fft=" + fft);
        Places truth = PlateRun.truth(plate.resolve("ground-truth.txt"));
        int trusted = 0;
        for (String[] row : run.table("displacements.csv")) {
            if (row[5].equals("true")) {
                trusted++;
                for (int axis = 0; axis < Places.AXES; axis++) {
                    double off = Integer.parseInt(row[2 + axis]) - truth.step(row[0], row[1], axis);
                    assertTrue(Math.abs(off) <= 2, String.join(",", row));
                }
            }
        }
        assertTrue(trusted >= 3, trusted + " trusted");
    }
}
