package dev.jacquard.apps.linear;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Estimates the norm of a matrix's inverse from solutions of systems with it: the largest sum of absolute values in a
 * column, which is seldom underestimated by more than a factor of three.
 *
 * <p>Source: N. J. Higham, FORTRAN codes for estimating the one-norm of a real or complex matrix, ACM Transactions on
 * Mathematical Software 14 (1988), algorithm 4.1.
 */
final class InverseNorm {
    private static final int PASSES = 5;

    private InverseNorm() {}

    /**
     * Returns the estimate; infinite or NaN where solutions are.
     *
     * @param order the number of unknowns
     * @param solve solves a system with the matrix in the place of its right-hand side
     * @param solveTransposed the same with the transposed matrix
     */
    static double estimate(int order, Consumer<double[]> solve, Consumer<double[]> solveTransposed) {
        double[] x = new double[order];
        Arrays.fill(x, 1.0 / order);
        solve.accept(x);
        double estimate = norm(x);
        double[] signs = signs(x);
        int last = -1;
        for (int pass = 0; pass < PASSES; pass++) {
            double[] slopes = signs.clone();
            solveTransposed.accept(slopes);
            int steepest = largest(slopes);
            if (last >= 0 && Math.abs(slopes[steepest]) <= Math.abs(slopes[last])) {
                break;
            }
            last = steepest;
            Arrays.fill(x, 0);
            x[last] = 1;
            solve.accept(x);
            double next = norm(x);
            double[] nextSigns = signs(x);
            if (!(next > estimate) || Arrays.equals(signs, nextSigns)) {
                estimate = Math.max(estimate, next);
                break;
            }
            estimate = next;
            signs = nextSigns;
        }
        return Math.max(estimate, alternating(order, solve));
    }

    /** Returns a lower bound from a vector that finds cases that the search may miss. */
    private static double alternating(int order, Consumer<double[]> solve) {
        double[] x = new double[order];
        for (int i = 0; i < order; i++) {
            double size = 1 + i / Math.max(1.0, order - 1.0);
            x[i] = i % 2 == 0 ? size : -size;
        }
        solve.accept(x);
        return 2 * norm(x) / (3.0 * order);
    }

    private static double norm(double[] x) {
        double sum = 0;
        for (double value : x) {
            sum += Math.abs(value);
        }
        return sum;
    }

    private static double[] signs(double[] x) {
        double[] signs = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            signs[i] = x[i] < 0 ? -1 : 1;
        }
        return signs;
    }

    private static int largest(double[] x) {
        int largest = 0;
        for (int i = 1; i < x.length; i++) {
            largest = Math.abs(x[i]) > Math.abs(x[largest]) ? i : largest;
        }
        return largest;
    }
}
