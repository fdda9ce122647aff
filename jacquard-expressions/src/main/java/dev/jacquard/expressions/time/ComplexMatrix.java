package dev.jacquard.expressions.time;

import java.util.Arrays;

/**
 * Eigenvalues and eigenvectors of a small matrix in Hessenberg form: below the diagonal it has one more. Confined to
 * one thread.
 *
 * <p>Source: Golub and Van Loan, Matrix Computations, sections 7.5 (the QR iteration) and 7.6.1 (inverse iteration).
 */
final class ComplexMatrix {
    private static final int MOST_ROUNDS = 60;

    private final int size;
    private final double[][] re;
    private final double[][] im;

    private ComplexMatrix(double[][] matrix) {
        size = matrix.length;
        re = new double[size][];
        im = new double[size][size];
        for (int i = 0; i < size; i++) {
            re[i] = matrix[i].clone();
        }
    }

    // ---- eigenvalues

    /**
     * Returns the real parts, then the imaginary parts, of the eigenvalues of a real matrix.
     *
     * @param matrix in Hessenberg form
     */
    static double[][] eigenvalues(double[][] matrix) {
        ComplexMatrix its = new ComplexMatrix(matrix);
        int last = its.size - 1;
        int rounds = 0;
        while (last > 0) {
            int first = last;
            while (first > 0 && !its.isSplit(first)) {
                first--;
            }
            if (first == last || ++rounds > MOST_ROUNDS) {
                last--;
                rounds = 0;
                continue;
            }
            its.round(first, last, rounds % 10 == 0);
        }
        double[][] values = new double[2][its.size];
        for (int i = 0; i < its.size; i++) {
            values[0][i] = its.re[i][i];
            values[1][i] = its.im[i][i];
        }
        return values;
    }

    /** Returns true if the element left of the diagonal is negligible. */
    private boolean isSplit(int row) {
        double around = Math.hypot(re[row][row], im[row][row]) + Math.hypot(re[row - 1][row - 1], im[row - 1][row - 1]);
        return Math.hypot(re[row][row - 1], im[row][row - 1]) <= Math.ulp(1.0) * around;
    }

    /** Does a round of the QR iteration on a block of the diagonal, with a shift. */
    private void round(int first, int last, boolean isStuck) {
        double[] shift =
                isStuck ? new double[] {Math.abs(re[last][last - 1]) + re[last][last], im[last][last]} : shift(last);
        for (int i = first; i <= last; i++) {
            re[i][i] -= shift[0];
            im[i][i] -= shift[1];
        }
        double[] cosines = new double[last];
        double[][] sines = new double[2][last];
        for (int k = first; k < last; k++) {
            // The rotation of rows k and k + 1 by the cosine c and the sine s makes the element below the diagonal 0.
            double size = Math.hypot(re[k][k], im[k][k]);
            double below = Math.hypot(re[k + 1][k], im[k + 1][k]);
            double norm = Math.hypot(size, below);
            double c = norm == 0 ? 1 : size / norm;
            double phaseRe = size == 0 ? 1 : re[k][k] / size;
            double phaseIm = size == 0 ? 0 : im[k][k] / size;
            double sRe = norm == 0 ? 0 : (phaseRe * re[k + 1][k] + phaseIm * im[k + 1][k]) / norm;
            double sIm = norm == 0 ? 0 : (phaseIm * re[k + 1][k] - phaseRe * im[k + 1][k]) / norm;
            cosines[k] = c;
            sines[0][k] = sRe;
            sines[1][k] = sIm;
            for (int j = k; j <= last; j++) {
                double aRe = re[k][j];
                double aIm = im[k][j];
                double bRe = re[k + 1][j];
                double bIm = im[k + 1][j];
                re[k][j] = c * aRe + sRe * bRe - sIm * bIm;
                im[k][j] = c * aIm + sRe * bIm + sIm * bRe;
                re[k + 1][j] = c * bRe - sRe * aRe - sIm * aIm;
                im[k + 1][j] = c * bIm - sRe * aIm + sIm * aRe;
            }
        }
        for (int k = first; k < last; k++) {
            double c = cosines[k];
            double sRe = sines[0][k];
            double sIm = sines[1][k];
            for (int i = first; i <= Math.min(k + 1, last); i++) {
                double aRe = re[i][k];
                double aIm = im[i][k];
                double bRe = re[i][k + 1];
                double bIm = im[i][k + 1];
                re[i][k] = c * aRe + sRe * bRe + sIm * bIm;
                im[i][k] = c * aIm + sRe * bIm - sIm * bRe;
                re[i][k + 1] = c * bRe - sRe * aRe + sIm * aIm;
                im[i][k + 1] = c * bIm - sRe * aIm - sIm * aRe;
            }
        }
        for (int i = first; i <= last; i++) {
            re[i][i] += shift[0];
            im[i][i] += shift[1];
        }
    }

    /** Returns the eigenvalue of the last two rows and columns that is nearer to the last element. */
    private double[] shift(int last) {
        int k = last - 1;
        double halfRe = (re[k][k] - re[last][last]) / 2;
        double halfIm = (im[k][k] - im[last][last]) / 2;
        double productRe = re[k][last] * re[last][k] - im[k][last] * im[last][k];
        double productIm = re[k][last] * im[last][k] + im[k][last] * re[last][k];
        double[] root = root(halfRe * halfRe - halfIm * halfIm + productRe, 2 * halfRe * halfIm + productIm);
        double sign = halfRe * root[0] + halfIm * root[1] < 0 ? -1 : 1;
        double[] quotient = over(productRe, productIm, halfRe + sign * root[0], halfIm + sign * root[1]);
        return new double[] {re[last][last] - quotient[0], im[last][last] - quotient[1]};
    }

    private static double[] root(double a, double b) {
        double size = Math.sqrt(Math.hypot(a, b));
        double angle = Math.atan2(b, a) / 2;
        return new double[] {size * Math.cos(angle), size * Math.sin(angle)};
    }

    private static double[] over(double aRe, double aIm, double bRe, double bIm) {
        double size = Math.hypot(bRe, bIm);
        if (size == 0) {
            return new double[2];
        }
        double uRe = bRe / size;
        double uIm = bIm / size;
        return new double[] {(aRe * uRe + aIm * uIm) / size, (aIm * uRe - aRe * uIm) / size};
    }

    // ---- eigenvectors

    /**
     * Returns the real parts, then the imaginary parts, of the eigenvector of an eigenvalue, of norm 1.
     *
     * @param matrix in Hessenberg form
     */
    static double[][] eigenvector(double[][] matrix, double valueRe, double valueIm) {
        double[][] vector = new double[2][matrix.length];
        Arrays.fill(vector[0], 1);
        double size = Math.hypot(valueRe, valueIm);
        for (int round = 0; round < 3; round++) {
            ComplexMatrix its = new ComplexMatrix(matrix);
            for (int i = 0; i < its.size; i++) {
                its.re[i][i] -= valueRe + 1e-12 * size;
                its.im[i][i] -= valueIm;
            }
            its.solve(vector, Math.max(size, Double.MIN_NORMAL) * 1e-15);
            double norm = 0;
            for (int i = 0; i < its.size; i++) {
                norm = Math.hypot(norm, Math.hypot(vector[0][i], vector[1][i]));
            }
            for (int i = 0; i < its.size; i++) {
                vector[0][i] /= norm;
                vector[1][i] /= norm;
            }
        }
        return vector;
    }

    /** Solves a system of equations by elimination, and puts a tiny number in the place of a pivot that is 0. */
    private void solve(double[][] b, double tiny) {
        for (int k = 0; k < size; k++) {
            if (k + 1 < size && Math.hypot(re[k + 1][k], im[k + 1][k]) > Math.hypot(re[k][k], im[k][k])) {
                swap(re, k);
                swap(im, k);
                for (double[] its : b) {
                    double old = its[k];
                    its[k] = its[k + 1];
                    its[k + 1] = old;
                }
            }
            if (Math.hypot(re[k][k], im[k][k]) < tiny) {
                re[k][k] = tiny;
            }
            if (k + 1 < size) {
                double[] f = over(re[k + 1][k], im[k + 1][k], re[k][k], im[k][k]);
                for (int j = k; j < size; j++) {
                    re[k + 1][j] -= f[0] * re[k][j] - f[1] * im[k][j];
                    im[k + 1][j] -= f[0] * im[k][j] + f[1] * re[k][j];
                }
                b[0][k + 1] -= f[0] * b[0][k] - f[1] * b[1][k];
                b[1][k + 1] -= f[0] * b[1][k] + f[1] * b[0][k];
            }
        }
        for (int k = size - 1; k >= 0; k--) {
            double sumRe = b[0][k];
            double sumIm = b[1][k];
            for (int j = k + 1; j < size; j++) {
                sumRe -= re[k][j] * b[0][j] - im[k][j] * b[1][j];
                sumIm -= re[k][j] * b[1][j] + im[k][j] * b[0][j];
            }
            double[] x = over(sumRe, sumIm, re[k][k], im[k][k]);
            b[0][k] = x[0];
            b[1][k] = x[1];
        }
    }

    private static void swap(double[][] rows, int k) {
        double[] old = rows[k];
        rows[k] = rows[k + 1];
        rows[k + 1] = old;
    }
}
