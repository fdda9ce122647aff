package dev.jacquard.apps.stitching.align;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.stitching.align.Optimisation.Positions;
import dev.jacquard.apps.stitching.align.Refinement.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Verdicts and positions from measurements that are made up. */
class OptimisationTest {
    private static final StagePrior PRIOR = StagePrior.auto(1000, 1000);

    @ParameterizedTest
    @EnumSource
    void aLargeGridOfExactPairsIsExact(Optimisation optimisation) {
        Grid grid = new Grid(42, 59);
        int[][] truth = truth(grid, 17);
        Refinement refinement = optimisation.refinement(grid, PRIOR, exact(grid, truth));
        Positions positions = optimisation.place(grid, refinement.model(), refinement.verdicts());
        assertArrayEquals(truth[0], positions.x());
        assertArrayEquals(truth[1], positions.y());
    }

    @Test
    void theBestFitCountsPartsOfPixels() {
        Grid grid = new Grid(1, 11);
        List<Measurement> measurements = grid.pairs().stream()
                .map(pair -> new Measurement(pair, 900, 0, 0.9, 1000, 0.4, -0.3, Doubt.NONE))
                .toList();
        Refinement refinement = Refinement.start(grid, PRIOR, measurements);
        Positions fit = Optimisation.LEAST_SQUARES.place(grid, refinement.model(), refinement.verdicts());
        assertEquals(9004, fit.x()[10]);
        assertEquals(3, fit.y()[0] - fit.y()[10]);
        Positions tree = Optimisation.TREE.place(grid, refinement.model(), refinement.verdicts());
        assertEquals(9000, tree.x()[10]);
    }

    @Test
    void aWrongPairWithinTheStagesSpreadIsFoundByItsLoops() {
        Grid grid = new Grid(4, 4);
        int[][] truth = truth(grid, 5);
        List<Measurement> measurements = exact(grid, truth);
        int wrong = 11;
        Measurement right = measurements.get(wrong);
        measurements.set(wrong, new Measurement(right.pair(), right.dx() + 4, right.dy(), right.correlation(), 1000));
        Refinement refinement = Refinement.start(grid, PRIOR, measurements);
        List<Verdict> verdicts = refinement.verdicts();
        assertFalse(verdicts.get(wrong).trusted());
        assertTrue(verdicts.stream().filter(Verdict::trusted).count() >= 20);
        Positions balanced = Optimisation.LEAST_SQUARES.place(grid, refinement.model(), verdicts);
        assertArrayEquals(truth[0], balanced.x());
        assertArrayEquals(truth[1], balanced.y());
    }

    @Test
    void aPairFarFromTheStageIsSearchedAgain() {
        Grid grid = new Grid(4, 4);
        List<Measurement> measurements = exact(grid, truth(grid, 5));
        Measurement right = measurements.get(3);
        measurements.set(3, new Measurement(right.pair(), right.dx() - 100, right.dy(), 0.9, 1000));
        Refinement refinement = Refinement.start(grid, PRIOR, measurements);
        assertTrue(refinement.searches().size() == 1
                && refinement.searches().getFirst().pair().equals(right.pair()));
        assertThrows(IllegalArgumentException.class, () -> refinement.next(List.of()));
    }

    @Test
    void anOverlapMustBeAPart() {
        assertThrows(IllegalArgumentException.class, () -> new StagePrior(100, 100, 1));
        assertThrows(IllegalArgumentException.class, () -> new StagePrior(100, 100, 0));
    }

    private static int[][] truth(Grid grid, long seed) {
        Random random = new Random(seed);
        double[] x = new double[grid.tiles()];
        double[] y = new double[grid.tiles()];
        for (int tile = 0; tile < grid.tiles(); tile++) {
            x[tile] = 900 * (tile % grid.columns()) + random.nextInt(-3, 4);
            y[tile] = 900 * (tile / grid.columns()) + random.nextInt(-3, 4);
        }
        Positions positions = Positions.rounded(x, y);
        return new int[][] {positions.x(), positions.y()};
    }

    private static List<Measurement> exact(Grid grid, int[][] truth) {
        List<Measurement> measurements = new ArrayList<>();
        for (Pair pair : grid.pairs()) {
            int dx = truth[0][pair.to()] - truth[0][pair.from()];
            int dy = truth[1][pair.to()] - truth[1][pair.from()];
            measurements.add(new Measurement(pair, dx, dy, 0.9, 1000));
        }
        return measurements;
    }
}
