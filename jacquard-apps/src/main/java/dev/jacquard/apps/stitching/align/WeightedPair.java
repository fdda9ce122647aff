package dev.jacquard.apps.stitching.align;

import dev.jacquard.apps.stitching.align.Refinement.Verdict;

/**
 * A pair as positions are computed from it.
 *
 * @param weight how much it counts, above 0: 1 or more when it is trusted, far less when it is not
 */
record WeightedPair(int from, int to, double dx, double dy, double weight) {
    private static final double UNTRUSTED = 1e-3;
    private static final double GUESS = 1e-5;
    /** Less is no sign that the tiles match. */
    private static final double SLIGHT = 0.2;

    /**
     * With {@code parts} 1 of a pixel, with 0 whole pixels: a pair's displacement, or, when that is no better than a
     * guess and {@code doubting}, the stage's step.
     */
    static WeightedPair of(Verdict verdict, StageModel model, boolean doubting, int parts) {
        Measurement measured = verdict.measurement();
        Pair pair = measured.pair();
        double agreement = Math.max(0, measured.correlation());
        if (verdict.trusted()) {
            return new WeightedPair(
                    pair.from(),
                    pair.to(),
                    measured.dx() + parts * measured.partX(),
                    measured.dy() + parts * measured.partY(),
                    1 + agreement);
        }
        boolean plausible = measured.certain() || (model.allows(measured) && agreement > SLIGHT);
        boolean measurable = measured.correlation() != 0;
        if (plausible || (measurable && !doubting)) {
            return new WeightedPair(
                    pair.from(), pair.to(), measured.dx(), measured.dy(), GUESS + UNTRUSTED * agreement);
        }
        Steps steps = model.steps(pair.direction());
        return new WeightedPair(pair.from(), pair.to(), steps.dx(), steps.dy(), GUESS);
    }
}
