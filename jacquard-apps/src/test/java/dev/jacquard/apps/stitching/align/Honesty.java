package dev.jacquard.apps.stitching.align;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.stitching.align.Optimisation.Positions;
import dev.jacquard.apps.stitching.align.Refinement.Verdict;
import java.util.Arrays;

/** Compares results with the truth. */
final class Honesty {
    /** A trusted pair may be off by this many pixels. */
    private static final double TRUSTED_ERROR = 2;

    private Honesty() {}

    /** Fails when a pair is trusted but wrong, or when a number is none. */
    static void check(Plate plate, Stitcher.Result result) {
        for (Verdict verdict : result.verdicts()) {
            Measurement measured = verdict.measurement();
            assertTrue(Double.isFinite(measured.correlation()), "correlation of " + verdict);
            assertTrue(Double.isFinite(measured.certainty()), "certainty of " + verdict);
            assertTrue(
                    !verdict.trusted() || plate.error(measured) <= TRUSTED_ERROR,
                    () -> "trusted but wrong: " + verdict + ", true is " + plate.dx(measured.pair()) + ", "
                            + plate.dy(measured.pair()));
        }
    }

    /** The largest error of a position when the plate is moved so that this is as small as can be. */
    static double positionError(Plate plate, Positions positions) {
        return Math.max(halfRange(plate.x(), positions.x()), halfRange(plate.y(), positions.y()));
    }

    private static double halfRange(double[] truth, int[] found) {
        double[] errors = new double[truth.length];
        Arrays.setAll(errors, i -> found[i] - truth[i]);
        return (Arrays.stream(errors).max().orElseThrow()
                        - Arrays.stream(errors).min().orElseThrow())
                / 2;
    }
}
