package dev.jacquard.apps.stitching.align;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.apps.TestData;
import dev.jacquard.apps.stitching.align.Optimisation.Positions;
import dev.jacquard.apps.stitching.align.Refinement.Verdict;
import dev.jacquard.numerics.fft.FftProvider;
import dev.jacquard.numerics.fft.Ffts;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Real plates with known positions, with every FFT library that this machine has. */
@ParameterizedClass(name = "{0}")
@MethodSource("libraries")
class PlatesTest {
    private final String fft;

    PlatesTest(String fft) {
        this.fft = fft;
        Ffts.providers().stream()
                .filter(p -> p.name().equals(fft))
                .flatMap(p -> p.absence().stream())
                .forEach(reason -> assumeTrue(false, fft + " is absent: " + reason));
    }

    static List<String> libraries() {
        return Ffts.providers().stream().map(FftProvider::name).toList();
    }

    @ParameterizedTest
    @EnumSource(names = {"TREE", "LEAST_SQUARES"})
    void thePhaseContrastPlateIsExact(Optimisation optimisation) throws IOException {
        Plate plate = Plate.plate5x5();
        Positions positions = stitcher(plate).stitch(plate, optimisation).positions();
        assertArrayEquals(plate.x(), doubles(positions.x()));
        assertArrayEquals(plate.y(), doubles(positions.y()));
    }

    @Test
    void plainCorrelationGetsThePairsThatItCan() throws IOException {
        Plate plate = Plate.plate5x5();
        var plain = new Stitcher(plate.auto(), fft, 1).stitch(plate, Optimisation.NONE);
        int reference = 0;
        for (String line : Files.readAllLines(
                TestData.find("stitching/plate-5x5").resolve("relative-positions-no-optimization-1.txt"))) {
            // direction, to, from, correlation, dx, dy
            String[] row = line.split(",\\s*", -1);
            int to = plate.names().indexOf(row[1]);
            int from = plate.names().indexOf(row[2]);
            Measurement ours = plain.verdicts().stream()
                    .map(Verdict::measurement)
                    .filter(m -> m.pair().from() == from && m.pair().to() == to)
                    .findFirst()
                    .orElseThrow();
            boolean right = Double.parseDouble(row[4]) == plate.dx(ours.pair())
                    && Double.parseDouble(row[5].strip()) == plate.dy(ours.pair());
            if (right) {
                reference++;
                assertEquals(0, plate.error(ours), line + " but " + ours);
            }
        }
        assertEquals(29, reference);
    }

    @ParameterizedTest
    @EnumSource
    void theCutMosaicIsRightToAPixel(Optimisation optimisation) throws IOException {
        assertPositions(Plate.recut8x8(), optimisation, 1);
    }

    @ParameterizedTest
    @EnumSource
    void theConfocalPlateIsRightToItsDistortion(Optimisation optimisation) throws IOException {
        assertPositions(Plate.speckle3x4(), optimisation, 1.5);
    }

    @ParameterizedTest
    @EnumSource
    void theHardPlateTrustsNoWrongPair(Optimisation optimisation) throws IOException {
        Plate plate = Plate.hard3x3();
        for (int peaks = 1; peaks <= 3; peaks++) {
            var result = new Stitcher(plate.auto(), fft, peaks).stitch(plate, optimisation);
            Honesty.check(plate, result);
            assertTrue(result.verdicts().stream().filter(Verdict::trusted).count() >= 3);
        }
    }

    private void assertPositions(Plate plate, Optimisation optimisation, double tolerance) {
        var result = stitcher(plate).stitch(plate, optimisation);
        Honesty.check(plate, result);
        double error = Honesty.positionError(plate, result.positions());
        assertTrue(error <= tolerance, "positions are off by " + error + " pixels");
    }

    private Stitcher stitcher(Plate plate) {
        return new Stitcher(plate.auto(), fft, 2);
    }

    private static double[] doubles(int[] values) {
        double[] doubles = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            doubles[i] = values[i];
        }
        return doubles;
    }
}
