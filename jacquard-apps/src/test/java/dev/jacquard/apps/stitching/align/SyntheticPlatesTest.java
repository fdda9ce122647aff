package dev.jacquard.apps.stitching.align;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.image.GrayImage;
import dev.jacquard.apps.stitching.align.Refinement.Search;
import dev.jacquard.apps.stitching.align.Refinement.Verdict;
import dev.jacquard.testkit.Rounds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Plates made from seeds, the seed in each name: no trusted pair is wrong, and positions are right where they can be.
 */
class SyntheticPlatesTest {
    private static final SyntheticPlate EASY = SyntheticPlate.easy(3, 4);

    static Stream<SyntheticPlate> clear() {
        return Stream.of(
                EASY.withStage(0.05, 2, 1),
                EASY.withStage(0.1, 3, 2),
                EASY.withStage(0.2, 6, -3).withTiles(160, 128, 8),
                EASY.withStage(0.3, 3, 0).withTexture(1, 1, 0),
                EASY.withStage(0.2, 3, 2).withTexture(5, 0.3, 0),
                EASY.withStage(0.3, 3, 2).withTexture(10, 0.1, 0).withTiles(160, 128, 8),
                EASY.withStage(0.3, 3, 2).withTexture(3, 0.3, 0.2).withCamera(0.05, 0));
    }

    @ParameterizedTest
    @MethodSource("clear")
    void clearPlatesArePlacedToAPixel(SyntheticPlate plate) {
        Plate made = plate.make(7);
        List<Measurement> measurements = stitcher(made).measure(made);
        for (Optimisation optimisation : List.of(Optimisation.TREE, Optimisation.LEAST_SQUARES)) {
            var result = stitcher(made).stitch(made, optimisation, measurements);
            Honesty.check(made, result);
            double error = Honesty.positionError(made, result.positions());
            assertTrue(error <= 1, optimisation + " is off by " + error + " pixels on " + plate);
        }
    }

    @ParameterizedTest
    @CsvSource({"0.05,2,0.3,0.5,0", "0.1,2,0.3,0.5,0", "0.1,3,0.3,0.3,0.3", "0.1,3,2,0.2,0", "0.2,10,0.1,0.3,0.1"})
    void poorPlatesAreReportedHonestly(double overlap, int blur, double noise, double empty, double dust) {
        SyntheticPlate plate =
                EASY.withStage(overlap, 3, 2).withTexture(blur, noise, empty).withCamera(0.05, dust);
        for (long seed = 0; seed < Rounds.some(3); seed++) {
            Plate made = plate.make(seed);
            Honesty.check(made, stitcher(made).stitch(made, Optimisation.LEAST_SQUARES));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 10})
    void tilesWithoutOverlapAreNeverTrusted(int blur) {
        Plate made = SyntheticPlate.easy(Rounds.some(6), 3)
                .withStage(-0.1, 3, 0)
                .withTexture(blur, 0.1, 0.2)
                .withCamera(0.05, 0.2)
                .make(blur);
        for (Optimisation optimisation : List.of(Optimisation.NONE, Optimisation.TREE)) {
            var result = stitcher(made).stitch(made, optimisation);
            assertTrue(result.verdicts().stream().noneMatch(Verdict::trusted));
        }
    }

    @Test
    void blankTilesLieWhereTheNominalStagePutsThem() {
        List<GrayImage> tiles = Collections.nCopies(4, new GrayImage(100, 80, 16, new short[8000]));
        Plate blank = new Plate(new Grid(2, 2), List.of(), tiles, new double[4], new double[4]);
        StagePrior prior = new StagePrior(100, 80, 0.25);
        for (Optimisation optimisation : Optimisation.values()) {
            var result = new Stitcher(prior, "jtransforms", 2).stitch(blank, optimisation);
            assertTrue(result.verdicts().stream().noneMatch(Verdict::trusted));
            assertArrayEquals(new int[] {0, 75, 0, 75}, result.positions().x());
            assertArrayEquals(new int[] {0, 0, 60, 60}, result.positions().y());
        }
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1,5", "5,1", "2,2"})
    void smallGridsWork(int rows, int columns) {
        Plate made = SyntheticPlate.easy(rows, columns).make(3);
        for (Optimisation optimisation : List.of(Optimisation.TREE, Optimisation.LEAST_SQUARES)) {
            var result = stitcher(made).stitch(made, optimisation);
            assertEquals(0, Honesty.positionError(made, result.positions()));
            assertTrue(result.verdicts().stream().allMatch(Verdict::trusted));
        }
    }

    @Test
    void aStatedOverlapGivesTheSamePositions() {
        Plate made = EASY.make(11);
        StagePrior stated = new StagePrior(160, 128, 0.17);
        var result = new Stitcher(stated, "jtransforms", 2).stitch(made, Optimisation.TREE);
        assertEquals(0, Honesty.positionError(made, result.positions()));
    }

    @Test
    void anAlignerKeepsNothingFromPairToPair() {
        Plate made = EASY.withTexture(4, 0.5, 0.3).make(5);
        Stitcher stitcher = stitcher(made);
        List<Measurement> forwards = stitcher.measure(made);
        assertEquals(forwards, stitcher.measure(made));
        List<Search> searches =
                Refinement.start(made.grid(), made.auto(), forwards).searches();
        Searcher used = new Searcher();
        List<Measurement> again = new ArrayList<>();
        for (Search search : searches.reversed()) {
            again.addFirst(run(used, search, made));
        }
        assertEquals(searches.stream().map(s -> run(new Searcher(), s, made)).toList(), again);
    }

    private static Measurement run(Searcher searcher, Search search, Plate plate) {
        GrayImage from = plate.tiles().get(search.pair().from());
        return searcher.run(search, from, plate.tiles().get(search.pair().to()));
    }

    private static Stitcher stitcher(Plate plate) {
        return new Stitcher(plate.auto(), "jtransforms", 2);
    }
}
