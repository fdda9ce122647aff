package dev.jacquard.apps.stitching.align;

import dev.jacquard.apps.stitching.align.Refinement.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The method that makes positions from displacements. */
public enum Optimisation {
    /** Phase 1 as measured, along the spanning tree of the best pairs. */
    NONE,
    /** Refined displacements, along the spanning tree of the best pairs. */
    TREE,
    /** Refined displacements, all of them, balanced. */
    LEAST_SQUARES;

    /** Begins phase 2 with the results of phase 1, in the order of {@link Grid#pairs()}. */
    public Refinement refinement(Grid grid, StagePrior prior, List<Measurement> measurements) {
        return this == NONE ? Refinement.none(grid, prior, measurements) : Refinement.start(grid, prior, measurements);
    }

    /** The position of every tile. A tile that no trusted pair places lies where the stage would put it. */
    public Positions place(Grid grid, Refinement refinement) {
        return place(grid, refinement.model(), refinement.verdicts());
    }

    Positions place(Grid grid, StageModel model, List<Verdict> verdicts) {
        List<WeightedPair> links = new ArrayList<>();
        for (Verdict verdict : verdicts) {
            links.add(WeightedPair.of(verdict, model, this != NONE, this == LEAST_SQUARES ? 1 : 0));
        }
        double[][] tree = SpanningTree.positions(grid.tiles(), links);
        if (this == LEAST_SQUARES) {
            LeastSquares balance = new LeastSquares(grid.tiles(), links);
            return Positions.rounded(balance.solve(tree[0], false), balance.solve(tree[1], true));
        }
        return Positions.rounded(tree[0], tree[1]);
    }

    /**
     * Where the tiles lie, in whole pixels, in the order of the grid; the smallest x and the smallest y are 0.
     *
     * @param x to the right
     * @param y down
     */
    public record Positions(int[] x, int[] y) {
        /** Rounds halves up, relative to the first tile, so that equal steps round alike. */
        static Positions rounded(double[] x, double[] y) {
            return new Positions(rounded(x), rounded(y));
        }

        private static int[] rounded(double[] values) {
            int[] whole = Arrays.stream(values)
                    .mapToInt(value -> (int) Math.floor(value - values[0] + 0.5))
                    .toArray();
            int least = Arrays.stream(whole).min().orElse(0);
            return Arrays.stream(whole).map(value -> value - least).toArray();
        }
    }
}
