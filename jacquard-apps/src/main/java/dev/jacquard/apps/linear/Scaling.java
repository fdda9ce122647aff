package dev.jacquard.apps.linear;

import dev.jacquard.numerics.sparse.SparseMatrix;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Factors of rows and columns that bring the entries of a matrix near 1, so that they fit into single precision and
 * units of measure do not weigh. All are powers of two: scaling loses no digit.
 *
 * @param rows by row
 * @param columns by column
 */
record Scaling(double[] rows, double[] columns) {
    /** No entry of a scaled matrix that is positive definite is larger: 1 from the definition, 4 from rounding. */
    private static final double MOST = 4;

    /**
     * Returns factors that bring the diagonal near 1; null if the matrix cannot be positive definite, since its
     * diagonal is not positive or an entry too large for it.
     */
    static @Nullable Scaling ofDefinite(SparseMatrix matrix) {
        double[] factors = new double[matrix.rows()];
        for (int i = 0; i < factors.length; i++) {
            double value = matrix.get(i, i);
            if (!(value > 0)) {
                return null;
            }
            factors[i] = Math.scalb(1.0, -Math.floorDiv(Math.getExponent(value), 2));
        }
        Scaling scaling = new Scaling(factors, factors);
        boolean[] fits = {true};
        matrix.forEach((row, column, value) -> fits[0] &= Math.abs(scaling.scaled(row, column, value)) <= MOST);
        return fits[0] ? scaling : null;
    }

    /** Returns factors that bring the largest entry of each row, then of each column, near 1. */
    static Scaling ofGeneral(SparseMatrix matrix) {
        Scaling scaling = new Scaling(new double[matrix.rows()], new double[matrix.columns()]);
        matrix.forEach((row, column, value) -> scaling.rows[row] = Math.max(scaling.rows[row], Math.abs(value)));
        inverted(scaling.rows);
        Arrays.fill(scaling.columns, 0);
        double[] largest = new double[matrix.columns()];
        matrix.forEach((row, column, value) ->
                largest[column] = Math.max(largest[column], Math.abs(value * scaling.rows[row])));
        inverted(largest);
        return new Scaling(scaling.rows, largest);
    }

    private static void inverted(double[] largest) {
        for (int i = 0; i < largest.length; i++) {
            largest[i] = largest[i] > 0 ? Math.scalb(1.0, -Math.getExponent(largest[i])) : 1;
        }
    }

    /** Returns a scaled entry. */
    double scaled(int row, int column, double value) {
        return value * rows[row] * columns[column];
    }
}
