package dev.jacquard.numerics.testing;

import dev.jacquard.numerics.blas.Blas.Diagonal;
import dev.jacquard.numerics.blas.Blas.Transpose;
import dev.jacquard.numerics.blas.Blas.Triangle;

/** Linear algebra by its definitions. */
final class Oracle {
    private Oracle() {}

    static double[][] op(Transpose transpose, double[][] a, int rows, int columns) {
        double[][] result = new double[rows][columns];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                result[i][j] = transpose == Transpose.NO ? a[i][j] : a[j][i];
            }
        }
        return result;
    }

    /** {@code alpha a b + beta c}; what {@code c} holds does not matter when {@code beta} is zero. */
    static double[][] product(double alpha, double[][] a, double[][] b, double beta, double[][] c, int k) {
        double[][] result = new double[c.length][];
        for (int i = 0; i < c.length; i++) {
            result[i] = new double[c[i].length];
            for (int j = 0; j < c[i].length; j++) {
                double sum = 0;
                for (int l = 0; l < k; l++) {
                    sum += a[i][l] * b[l][j];
                }
                result[i][j] = alpha * sum + (beta == 0 ? 0 : beta * c[i][j]);
            }
        }
        return result;
    }

    static double[][] triangle(double[][] a, Triangle triangle, Diagonal diagonal) {
        double[][] result = new double[a.length][a.length];
        for (int i = 0; i < a.length; i++) {
            for (int j = 0; j < a.length; j++) {
                boolean inside = triangle == Triangle.UPPER ? j > i : j < i;
                result[i][j] = i == j ? (diagonal == Diagonal.UNIT ? 1 : a[i][i]) : inside ? a[i][j] : 0;
            }
        }
        return result;
    }
}
