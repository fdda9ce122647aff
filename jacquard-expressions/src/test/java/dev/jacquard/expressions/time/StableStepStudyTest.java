package dev.jacquard.expressions.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.testkit.Rounds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The longest stable step of drawn rates, against all eigenvalues of the whole matrix of their derivatives. */
@Timeout(600)
class StableStepStudyTest {
    private static final double INFINITE = 1e300;

    private final List<String> wrong = new ArrayList<>();

    private void study(long firstSeed, int count, int firstOrder, int[]... grids) {
        try (Session session = Session.builder().workers(1).open()) {
            for (int i = 0; i < count; i++) {
                long seed = firstSeed + i;
                RandomRates rates = new RandomRates(seed, grids[i % grids.length], 3);
                double[][] values = WholeMatrix.eigenvalues(rates.matrix(session));
                for (int order = firstOrder; order <= 3; order++) {
                    compare("seed " + seed + ", " + rates, session, rates, order, values);
                }
            }
        }
        assertEquals(List.of(), wrong);
    }

    private void compare(String what, Session session, RandomRates rates, int order, double[][] values) {
        StabilityRegion region = new StabilityRegion(order);
        Spectrum spectrum = new Spectrum(values, region, 0, _ -> 0);
        double expected = Math.min(INFINITE, spectrum.step());
        boolean isNone = expected * spectrum.radius() < region.leastUseful();
        String text = what + ", order " + order + ": expected " + expected + ", largest eigenvalue " + spectrum.radius()
                + ", found ";
        double found;
        try {
            found = Math.min(INFINITE, rates.with(session, order, (_, steps) -> steps.stableStep()));
        } catch (ArithmeticException e) {
            boolean isGrowth = String.valueOf(e.getMessage()).contains("grow in cell");
            if (isGrowth ? spectrum.growth() < 1e-3 * spectrum.radius() : !isNone) {
                wrong.add(text + e.getMessage());
            }
            return;
        }
        if (isNone || found > expected * (1 + 1e-6) || found < 0.9 * expected || grows(values, order, found)) {
            wrong.add(text + found);
        }
    }

    /**
     * Returns true if a disturbance that the model lets decay is multiplied by more than 1 in a step, or a small one
     * grows faster than half as fast again as the fastest of the model.
     */
    private static boolean grows(double[][] values, int order, double step) {
        double largest = 0;
        double growth = 0;
        for (int i = 0; i < values[0].length; i++) {
            largest = Math.max(largest, Math.hypot(values[0][i], values[1][i]));
            growth = Math.max(growth, values[0][i]);
        }
        for (int i = 0; i < values[0].length; i++) {
            double x = step * values[0][i];
            double y = step * values[1][i];
            double re = 1;
            double im = 0;
            double termRe = 1;
            double termIm = 0;
            for (int k = 1; k <= order; k++) {
                double next = (termRe * x - termIm * y) / k;
                termIm = (termRe * y + termIm * x) / k;
                termRe = next;
                re += termRe;
                im += termIm;
            }
            double size = Math.hypot(values[0][i], values[1][i]);
            double most = size <= 0.1 * largest ? Math.exp(1.5 * growth * step) : 1;
            if (values[0][i] < -1e-6 * largest && size > 1e-3 * largest && Math.hypot(re, im) > most + 1e-6) {
                return true;
            }
        }
        return false;
    }

    /** The search sees all of these. */
    @Test
    void smallSystems() {
        study(1, Rounds.some(750), 1, new int[] {16}, new int[] {9}, new int[] {4, 3});
    }

    /** It sees a part of these. */
    @Test
    void largerSystems() {
        study(10_001, 15, 3, new int[] {48}, new int[] {8, 8}, new int[] {4, 4, 4});
    }

    /**
     * A search for a given step ends early where it is far from the longest: no step that is too long passes, by
     * Euler's method none that passes only here.
     */
    @Test
    void givenSteps() {
        int accepted = 0;
        int[][] grids = {{48}, {8, 8}, {4, 4, 4}};
        try (Session session = Session.builder().workers(1).open()) {
            for (long seed = 20_001; seed <= 20_020; seed++) {
                RandomRates rates = new RandomRates(seed, grids[(int) (seed % grids.length)], 3);
                double[][] values = WholeMatrix.eigenvalues(rates.matrix(session));
                for (int order = 1; order <= 3; order++) {
                    double longest = new Spectrum(values, new StabilityRegion(order), 0, _ -> 0).step();
                    for (double share : new double[] {0.1, 0.3, 1.05, 1.5, 3}) {
                        double given = share * longest;
                        if (given > 0 && given < INFINITE && isStable(session, rates, order, given, given)) {
                            accepted++;
                            boolean isSeen = order > 1 || !isStable(session, rates, order, INFINITE, given);
                            if (share > 1 && isSeen) {
                                wrong.add("seed " + seed + ", " + rates + ", order " + order + ": " + share
                                        + " of the longest step is accepted");
                            }
                        }
                    }
                }
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(accepted > 40, accepted + " steps accepted");
    }

    /** Returns true if a search for some step finds one that is as long as a given one. */
    private static boolean isStable(Session session, RandomRates rates, int order, double enough, double given) {
        try {
            return rates.with(session, order, (_, steps) -> steps.stableStep(enough, () -> {})) >= given;
        } catch (ArithmeticException e) {
            return false;
        }
    }
}
