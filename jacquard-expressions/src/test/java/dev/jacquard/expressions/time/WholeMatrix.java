package dev.jacquard.expressions.time;

/**
 * The eigenvalues of a whole matrix: reduced to Hessenberg form by reflections, as Golub and Van Loan have it in
 * section 7.4.
 */
final class WholeMatrix {
    private WholeMatrix() {}

    /** Returns the real parts, then the imaginary parts. */
    static double[][] eigenvalues(double[][] matrix) {
        int size = matrix.length;
        double[][] a = new double[size][];
        for (int i = 0; i < size; i++) {
            a[i] = matrix[i].clone();
        }
        for (int k = 0; k + 2 < size; k++) {
            double[] v = new double[size];
            double norm = 0;
            for (int i = k + 1; i < size; i++) {
                v[i] = a[i][k];
                norm = Math.hypot(norm, v[i]);
            }
            if (norm == 0) {
                continue;
            }
            v[k + 1] += v[k + 1] < 0 ? -norm : norm;
            double square = 0;
            for (double one : v) {
                square += one * one;
            }
            for (int j = 0; j < size; j++) {
                double sum = 0;
                for (int i = k + 1; i < size; i++) {
                    sum += v[i] * a[i][j];
                }
                for (int i = k + 1; i < size; i++) {
                    a[i][j] -= 2 * sum / square * v[i];
                }
            }
            for (int i = 0; i < size; i++) {
                double sum = 0;
                for (int j = k + 1; j < size; j++) {
                    sum += a[i][j] * v[j];
                }
                for (int j = k + 1; j < size; j++) {
                    a[i][j] -= 2 * sum / square * v[j];
                }
            }
        }
        for (int i = 0; i < size; i++) {
            for (int j = 0; j + 1 < i; j++) {
                a[i][j] = 0;
            }
        }
        return ComplexMatrix.eigenvalues(a);
    }
}
