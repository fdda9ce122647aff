package dev.jacquard.apps.stitching.align;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.image.GrayImage;
import dev.jacquard.apps.stitching.align.Refinement.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Content that repeats or slides: several displacements fit alike, and no pair is trusted that does not tell them. */
class RepeatedContentTest {
    private static final double NOISE = 0.01;

    private static double dots(double x, double y) {
        return Math.hypot(rest(x, 20) - 10, rest(y, 20) - 10) < 8.4 ? 0.6 : 0.2;
    }

    private static double rest(double value, double period) {
        return value - period * Math.floor(value / period);
    }

    /** Tiles of a scene at seeded places, 0.15 of a tile over each other. */
    private static Plate plate(int rows, int columns, int width, int height, long seed, DoubleBinaryOperator scene) {
        Random random = new Random(seed);
        Grid grid = new Grid(rows, columns);
        double[] x = new double[grid.tiles()];
        double[] y = new double[grid.tiles()];
        for (int tile = 0; tile < grid.tiles(); tile++) {
            x[tile] = Math.round(0.85 * width) * (tile % columns) + random.nextInt(-3, 4);
            y[tile] = Math.round(0.85 * height) * (tile / columns) + random.nextInt(-3, 4);
        }
        return plate(grid, width, height, x, y, random, scene);
    }

    private static Plate plate(
            Grid grid, int width, int height, double[] x, double[] y, Random random, DoubleBinaryOperator scene) {
        List<GrayImage> tiles = new ArrayList<>();
        for (int tile = 0; tile < grid.tiles(); tile++) {
            short[] samples = new short[width * height];
            for (int i = 0; i < samples.length; i++) {
                double light = scene.applyAsDouble(x[tile] + i % width, y[tile] + Math.floorDiv(i, width));
                double noisy = light + NOISE * random.nextGaussian();
                samples[i] = (short) Math.clamp(Math.round(65_535 * noisy), 0, 65_535);
            }
            tiles.add(new GrayImage(width, height, 16, samples));
        }
        return new Plate(grid, Collections.nCopies(grid.tiles(), "repeated"), tiles, x, y);
    }

    private static Stitcher.Result stitch(Plate plate) {
        return new Stitcher(plate.auto(), "jtransforms", 2).stitch(plate, Optimisation.LEAST_SQUARES);
    }

    @Test
    void dotsTwentyPixelsApartAreAPeriodOfTwentyPixels() {
        Plate plate = plate(
                new Grid(1, 2),
                64,
                64,
                new double[] {0, 52},
                new double[] {0, 1},
                new Random(5),
                RepeatedContentTest::dots);
        Verdict verdict = stitch(plate).verdicts().getFirst();
        assertFalse(verdict.trusted(), verdict.toString());
        assertEquals("periodic x 20 px", verdict.reason());
    }

    static Stream<DoubleBinaryOperator> scenes() {
        double turn = 2 * Math.PI;
        return Stream.of(
                RepeatedContentTest::dots,
                (x, y) -> 0.5 + 0.1 * Math.sin(turn * x / 37.3) + 0.1 * Math.sin(turn * y / 41.7),
                (x, y) -> 0.5 + 0.1 * Math.sin(turn * (0.8 * x + 0.6 * y) / 23.1),
                (x, y) -> 0.5 + 0.2 * Math.signum(Math.sin(turn * x / 8)) * Math.signum(Math.sin(turn * y / 8)),
                (x, y) -> x + 0.5 * y > 330 ? 0.7 : 0.2,
                (x, y) -> x - 1.3 * y > 20 ? 0.7 : 0.2,
                (x, y) -> Math.abs(0.9 * x + 0.43 * y - 300) < 4 ? 0.7 : 0.2);
    }

    @ParameterizedTest
    @MethodSource("scenes")
    void noWrongPairIsTrusted(DoubleBinaryOperator scene) {
        for (long seed = 1; seed <= 2; seed++) {
            Plate plate = plate(3, 3, 256, 200, seed, scene);
            Honesty.check(plate, stitch(plate));
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {4, 6, 9.5})
    void patternsFinerThanAReducedSurfaceAreSeen(double period) {
        double turn = 2 * Math.PI / period;
        Plate plate = plate(1, 2, 640, 640, 3, (x, y) -> 0.5 + 0.2 * Math.sin(turn * x) * Math.sin(turn * y));
        Stitcher.Result result = stitch(plate);
        Honesty.check(plate, result);
        String reason = result.verdicts().getFirst().reason();
        assertTrue(reason.startsWith("periodic"), reason);
    }

    @Test
    void anEdgeThatCrossesThePairSlides() {
        Plate plate = plate(1, 2, 256, 200, 1, (x, y) -> x + 0.5 * y > 300 ? 0.7 : 0.2);
        Verdict verdict = stitch(plate).verdicts().getFirst();
        assertFalse(verdict.trusted(), verdict.toString());
        assertTrue(verdict.reason().startsWith("slides along"), verdict.reason());
    }

    @Test
    void aPatternOnTextureIsTrusted() {
        Random random = new Random(7);
        double[] texture = random.doubles(800 * 800).toArray();
        DoubleBinaryOperator grain = (x, y) -> texture[800 * ((int) y + 10) + (int) x + 10];
        Plate plate = plate(3, 3, 256, 200, 2, (x, y) -> 0.6 * dots(x, y) + 0.4 * grain.applyAsDouble(x, y));
        Stitcher.Result result = stitch(plate);
        Honesty.check(plate, result);
        assertTrue(
                result.verdicts().stream().allMatch(Verdict::trusted),
                result.verdicts().toString());
    }
}
