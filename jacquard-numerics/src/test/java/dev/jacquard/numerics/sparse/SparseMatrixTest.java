package dev.jacquard.numerics.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SparseMatrixTest {
    @Test
    void entriesAreSortedByRowsAndColumns() {
        SparseMatrix a =
                SparseMatrix.of(3, 2, new int[] {2, 0, 2, 0}, new int[] {1, 1, 0, 0}, new double[] {4, 2, 3, 1});
        List<String> seen = new ArrayList<>();
        a.forEach((row, column, value) -> seen.add(row + " " + column + " " + value));
        assertEquals(List.of("0 0 1.0", "0 1 2.0", "2 0 3.0", "2 1 4.0"), seen);
        assertEquals(0, a.get(1, 1));
        assertEquals(3, a.get(2, 0));
        assertEquals(7, a.normInfinity());
        assertArrayEquals(new double[] {50, 0, 110}, a.times(new double[] {10, 20}));
        assertEquals("3 x 2 matrix of 4 entries", a.toString());
    }

    @Test
    void isSymmetricOnlyWhereBothTrianglesAreEqual() {
        SparseMatrix a = SparseMatrix.of(2, 2, new int[] {0, 1, 0}, new int[] {1, 0, 0}, new double[] {5, 5, 1});
        assertTrue(a.isSymmetric());
        SparseMatrix b = SparseMatrix.of(2, 2, new int[] {0, 1, 0}, new int[] {1, 0, 0}, new double[] {5, 6, 1});
        assertFalse(b.isSymmetric());
        assertFalse(SparseMatrix.of(1, 2, new int[] {0}, new int[] {0}, new double[] {1})
                .isSymmetric());
        assertNotEquals(a, b);
        assertEquals(a, SparseMatrix.of(2, 2, new int[] {0, 0, 1}, new int[] {0, 1, 0}, new double[] {1, 5, 5}));
    }

    @Test
    void theResidualIsThatOfExactArithmeticRounded() {
        SplittableRandom random = new SplittableRandom(7);
        int n = 60;
        int[] rows = new int[n];
        int[] columns = new int[n];
        double[] values = new double[n];
        double[] x = new double[n];
        BigDecimal sum = BigDecimal.ZERO;
        for (int i = 0; i < n; i++) {
            columns[i] = i;
            values[i] = random.nextDouble(-1, 1) * Math.scalb(1.0, random.nextInt(30));
            x[i] = random.nextDouble(-1, 1);
            sum = sum.add(new BigDecimal(values[i]).multiply(new BigDecimal(x[i])));
        }
        double[] b = {sum.doubleValue()}; // all but the last digits cancel
        double[] residual = SparseMatrix.of(1, n, rows, columns, values).residual(b, x);
        double exact = new BigDecimal(b[0]).subtract(sum).doubleValue();
        assertEquals(exact, residual[0], Math.abs(exact) * 1e-6, "seed 7");
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertRefused(
                "entry (2, 2) stands there twice, counted from 1; expected each once",
                () -> SparseMatrix.of(2, 2, new int[] {1, 0, 1}, new int[] {1, 0, 1}, new double[3]));
        assertRefused(
                "entry (0, 2) lies outside of the 2 x 2 matrix; rows and columns count from 0",
                () -> SparseMatrix.of(2, 2, new int[] {0}, new int[] {2}, new double[1]));
        assertRefused(
                "a matrix of 0 x 2; expected 1 or more of both",
                () -> SparseMatrix.of(0, 2, new int[0], new int[0], new double[0]));
        SparseMatrix a = SparseMatrix.of(2, 1, new int[0], new int[0], new double[0]);
        assertRefused(
                "b has 2 elements and x 2; the matrix of 2 x 1 expects 2 and 1",
                () -> a.residual(new double[2], new double[2]));
    }

    private static void assertRefused(String message, Runnable what) {
        assertEquals(
                message, assertThrows(IllegalArgumentException.class, what::run).getMessage());
    }
}
