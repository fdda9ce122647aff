package dev.jacquard.apps.linear;

import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
import dev.jacquard.numerics.sparse.SparseMatrix;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A solution with its residual: one step of iterative refinement.
 *
 * <p>Source: N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition (2002), chapter 12; the error is
 * that of Rigal and Gaches, theorem 7.1, for the norm of maxima.
 *
 * @param x the solution so far
 * @param residual {@code b - A x}
 * @param error the normwise backward error, {@code |b - Ax| / (|A| |x| + |b|)}, largest elements each
 */
record Refinement(double[] x, double[] residual, double error) {
    static final Setting<Double> LIMIT = Setting.optional(
            "limit", Setting.Type.number(0, 1), "1e-15", "the error that is small enough, relative to A, x and b");
    static final Setting<Integer> PASSES = Setting.optional(
            "passes", Setting.Type.integer(1, 1_000_000), "20", "the passes after which there is no more hope");

    /** Returns {@code x} with its residual, which is computed in twice the precision. */
    static Refinement of(SparseMatrix matrix, double[] b, double[] x) {
        double[] residual = matrix.residual(b, x);
        double size = matrix.normInfinity() * largest(x) + largest(b);
        double left = largest(residual);
        return new Refinement(x, residual, left == 0 ? 0 : left / size);
    }

    /** Returns the largest absolute value; NaN if one is. */
    private static double largest(double[] of) {
        double largest = 0;
        for (double value : of) {
            largest = Math.max(largest, Math.abs(value));
        }
        return largest;
    }

    /** Returns {@code x} corrected by the solution of {@code factors} for the residual. */
    double[] corrected(Factors factors) {
        double[] next = factors.solve(residual);
        for (int i = 0; i < next.length; i++) {
            next[i] += x[i];
        }
        return next;
    }

    /**
     * Returns true if the error is small enough.
     *
     * @param pass the number of this one, from 1
     * @throws ArithmeticException if it is not, and another pass is of no use
     */
    boolean isSmall(double limit, int pass, int passes) {
        if (error <= limit) {
            return true;
        }
        if (!Double.isFinite(error) || pass >= passes) {
            throw new ArithmeticException("not converged after " + pass + " passes: the error is " + error
                    + ", which is to be " + limit + " at most; expected factors of the same matrix that are exact "
                    + "enough ('precision: double'), more 'passes' or a larger 'limit'");
        }
        return false;
    }

    /** Returns the findings at the end. */
    Report report(int passes) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("unknowns", x.length);
        values.put("passes", passes);
        values.put("error", error);
        return new Report(
                List.of(String.format(Locale.ROOT, "%d unknowns, error %.2e after %d passes", x.length, error, passes)),
                values);
    }
}
