package dev.jacquard.expressions.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Eigenvalues and eigenvectors of small matrices, by their definition. */
class ComplexMatrixTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 10, 58})
    void eachEigenvectorBelongsToItsEigenvalue(int size) {
        SplittableRandom random = new SplittableRandom(size);
        double[][] a = new double[size][size];
        double trace = 0;
        for (int i = 0; i < size; i++) {
            for (int j = Math.max(0, i - 1); j < size; j++) {
                a[i][j] = random.nextDouble(-1, 1);
            }
            trace += a[i][i];
        }
        double[][] values = ComplexMatrix.eigenvalues(a);
        assertEquals(trace, Arrays.stream(values[0]).sum(), 1e-10);
        assertEquals(0, Arrays.stream(values[1]).sum(), 1e-10);
        for (int k = 0; k < size; k++) {
            double[][] x = ComplexMatrix.eigenvector(a, values[0][k], values[1][k]);
            double rest = 0;
            for (int i = 0; i < size; i++) {
                double re = values[1][k] * x[1][i] - values[0][k] * x[0][i];
                double im = -values[1][k] * x[0][i] - values[0][k] * x[1][i];
                for (int j = 0; j < size; j++) {
                    re += a[i][j] * x[0][j];
                    im += a[i][j] * x[1][j];
                }
                rest = Math.hypot(rest, Math.hypot(re, im));
            }
            assertTrue(rest < 1e-9, "eigenvalue " + k + ": " + rest);
        }
    }

    /** The matrix of a cycle has the roots of 1. */
    @Test
    void rootsOfOne() {
        double[][] cycle = {{0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
        double[][] values = ComplexMatrix.eigenvalues(cycle);
        for (int k = 0; k < 4; k++) {
            assertEquals(1, Math.hypot(values[0][k], values[1][k]), 1e-12);
            double angle = Math.atan2(values[1][k], values[0][k]) / (Math.PI / 2);
            assertEquals(Math.rint(angle), angle, 1e-12);
        }
        Arrays.sort(values[0]);
        assertEquals(-1, values[0][0], 1e-12);
        assertEquals(1, values[0][3], 1e-12);
    }
}
