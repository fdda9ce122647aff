package dev.jacquard.bench;

import java.util.Arrays;

/**
 * How two contenders compare, round by round.
 *
 * @param median of the ratios of their figures in the same round
 * @param low where the 95 % interval of the median begins; the least ratio when there are too few rounds for one
 * @param high where it ends; the largest ratio when there are too few rounds
 */
record Ratio(double median, double low, double high) {
    /** Nothing to compare with. */
    static final Ratio NONE = new Ratio(Double.NaN, Double.NaN, Double.NaN);

    private static final double TAIL = 0.025;

    /**
     * Compares.
     *
     * @param ratios at least one
     */
    static Ratio of(double... ratios) {
        double[] sorted = ratios.clone();
        Arrays.sort(sorted);
        int outside = outside(sorted.length);
        return new Ratio(Row.median(sorted), sorted[outside], sorted[sorted.length - 1 - outside]);
    }

    /**
     * How many of the least and of the largest figures lie outside of the interval: each lies below the true median
     * with a chance of a half, so that the number below it is binomial, whatever the figures' distribution.
     */
    private static int outside(int count) {
        double probability = Math.pow(0.5, count);
        double sum = 0;
        int below = 0;
        while (sum + probability <= TAIL) {
            sum += probability;
            probability *= (count - below) / (below + 1.0);
            below++;
        }
        return Math.max(0, below - 1);
    }
}
