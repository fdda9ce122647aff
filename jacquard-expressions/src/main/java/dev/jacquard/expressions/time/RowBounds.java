package dev.jacquard.expressions.time;

import java.util.Arrays;
import java.util.List;

/**
 * Bounds of all eigenvalues by the row sums of all fields. Each field is measured in its own unit, so that fields that
 * drive each other count alike: the bounds hold for any units. Immutable.
 */
final class RowBounds {
    /** Rounds of the iteration for the units. */
    private static final int ROUNDS = 100;

    private final List<RowSums> rows;
    private final double[] units;

    RowBounds(List<RowSums> rows) {
        this.rows = List.copyOf(rows);
        double[][] sizes = rows.stream().map(row -> row.size).toArray(double[][]::new);
        this.units = vector(sizes);
    }

    /** Returns nearly the positive eigenvector of a matrix without negative elements, the largest component 1. */
    private static double[] vector(double[][] matrix) {
        double total = Arrays.stream(matrix).flatMapToDouble(Arrays::stream).sum();
        double[] vector = new double[matrix.length];
        Arrays.fill(vector, 1);
        for (int round = 0; round < ROUNDS && total > 0; round++) {
            double[] next = new double[vector.length];
            double most = 0;
            for (int p = 0; p < next.length; p++) {
                // Half of the vector itself keeps two fields from taking turns, a grain of all none from being 0.
                next[p] = total * vector[p] / 2 + 1e-9 * total;
                for (int q = 0; q < next.length; q++) {
                    next[p] += matrix[p][q] * vector[q];
                }
                most = Math.max(most, next[p]);
            }
            for (int p = 0; p < next.length; p++) {
                vector[p] = next[p] / most;
            }
        }
        return vector;
    }

    /** Returns the units of the fields: above 0, at most 1. */
    double[] units() {
        return units.clone();
    }

    private double others(int row) {
        double sum = 0;
        for (int q = 0; q < units.length; q++) {
            sum += q == row ? 0 : rows.get(row).size[q] * units[q] / units[row];
        }
        return sum;
    }

    /** Returns the first point with the largest sum of a row. */
    int[] fastest() {
        int most = 0;
        for (int p = 1; p < units.length; p++) {
            most = rows.get(p).size[p] > rows.get(most).size[most] ? p : most;
        }
        return rows.get(most).largest;
    }

    /** Returns a magnitude that no eigenvalue exceeds. */
    double radius() {
        double most = 0;
        for (int p = 0; p < units.length; p++) {
            most = Math.max(most, rows.get(p).size[p] + others(p));
        }
        return most;
    }

    /**
     * Returns a step that is not too long; 0 if none is known, as where the circles reach beyond the imaginary axis.
     *
     * @param rounding the size of rounding errors, relative to that of a sum
     */
    double step(StabilityRegion region, double rounding) {
        double left = 0;
        double right = Double.NEGATIVE_INFINITY;
        for (int p = 0; p < units.length; p++) {
            left = Math.max(left, rows.get(p).left + others(p));
            right = Math.max(right, rows.get(p).right + others(p));
        }
        if (right > rounding * radius()) {
            return 0;
        }
        return left <= 0 ? Double.POSITIVE_INFINITY : region.stepOfCircle(left / 2);
    }

    /** Returns a rate that the growth of no field which is alike at all points exceeds. */
    double growth() {
        double[][] matrix = new double[units.length][];
        for (int p = 0; p < units.length; p++) {
            matrix[p] = rows.get(p).growth.clone();
            for (int q = 0; q < units.length; q++) {
                matrix[p][q] = Math.max(0, matrix[p][q]);
            }
        }
        double[] vector = vector(matrix);
        double most = 0;
        for (int p = 0; p < units.length; p++) {
            double sum = 0;
            for (int q = 0; q < units.length; q++) {
                sum += matrix[p][q] * vector[q] / vector[p];
            }
            most = Math.max(most, sum);
        }
        return most;
    }
}
