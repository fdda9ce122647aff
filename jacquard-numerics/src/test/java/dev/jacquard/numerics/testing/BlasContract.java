package dev.jacquard.numerics.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.numerics.blas.Blas;
import dev.jacquard.numerics.blas.Blas.Diagonal;
import dev.jacquard.numerics.blas.Blas.IndefiniteMatrixException;
import dev.jacquard.numerics.blas.Blas.Layout;
import dev.jacquard.numerics.blas.Blas.Side;
import dev.jacquard.numerics.blas.Blas.SingularMatrixException;
import dev.jacquard.numerics.blas.Blas.Transpose;
import dev.jacquard.numerics.blas.Blas.Triangle;
import dev.jacquard.numerics.blas.BlasProvider;
import dev.jacquard.numerics.blas.BlasRoutines;
import dev.jacquard.numerics.blas.Operand;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * The contract of every library of linear algebra. A library's test extends this class; where the machine lacks the
 * library, its tests are skipped with the reason.
 */
public abstract class BlasContract {
    private static final int SEEDS = 60;

    private final Blas library;
    private final String words;

    /** The contract for the library of {@code provider}, whose description has {@code words}. */
    protected BlasContract(BlasProvider provider, String words) {
        provider.absence().ifPresent(reason -> assumeTrue(false, provider.name() + " is absent: " + reason));
        this.library = provider.open();
        this.words = words;
    }

    @Test
    void saysWhatItIsAndTakesOneThread() {
        assertTrue(library.description().contains(words), library.description());
        assertEquals(1, library.threads());
        assertThrows(IllegalArgumentException.class, () -> library.threads(0));
    }

    @Test
    void vectorsAgreeWithTheDefinitions() {
        Cases.forAll(library, SEEDS, c -> {
            int n = c.random.nextInt(10) == 0 ? c.random.nextInt(20_000) : c.size();
            Tile x = c.vector(n);
            Tile y = c.vector(n);
            double alpha = c.factor();
            double[][] sum = y.values(true);
            double dot = 0;
            double asum = 0;
            double squares = 0;
            for (int i = 0; i < n; i++) {
                sum[i][0] += alpha * x.get(i, 0);
                dot += x.get(i, 0) * y.get(i, 0);
                asum += Math.abs(x.get(i, 0));
                squares += x.get(i, 0) * x.get(i, 0);
            }
            double loose = c.tolerance(n);
            assertEquals(dot, c.blas.dot(n, x.operand(), y.operand()), loose, () -> "dot, " + c);
            assertEquals(asum, c.blas.asum(n, x.operand()), loose, () -> "asum, " + c);
            assertEquals(Math.sqrt(squares), c.blas.nrm2(n, x.operand()), loose, () -> "nrm2, " + c);
            c.blas.axpy(n, alpha, x.operand(), y.operand());
            y.check(sum, c.tolerance(1), null, "axpy, " + c);
            y.remember();
            c.blas.copy(n, x.operand(), y.operand());
            y.check(x.values(true), 0, null, "copy, " + c);
            double[][] scaled = x.values(true);
            for (double[] row : scaled) {
                row[0] *= alpha;
            }
            c.blas.scal(n, alpha, x.operand());
            x.check(scaled, c.tolerance(1), null, "scal, " + c);
        });
    }

    @Test
    void vectorsHaveTheSameBitsWhereverTheyLie() {
        try (Arena arena = Arena.ofConfined()) {
            for (int n : new int[] {1, 31, 255, 257, 1000, 4096, 4097, 20_000}) {
                for (int kind = 0; kind < 4; kind++) {
                    boolean single = (kind & 1) == 0;
                    int stride = 1 + (kind >> 1);
                    List<Double> expected = new VectorCalls(library, single, false, arena, n, stride).results(0, 0);
                    for (int at = 0; at < VectorCalls.OFFSETS; at++) {
                        for (boolean heap : new boolean[] {false, true}) {
                            VectorCalls calls = new VectorCalls(library, single, heap, arena, n, stride);
                            int other = 5 * at % VectorCalls.OFFSETS;
                            assertEquals(expected, calls.results(at, other), () -> calls + " at " + other);
                        }
                    }
                }
            }
        }
    }

    @Test
    void whatIsNoNumberStaysNoneWhateverTheFactor() {
        double[] values = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1.5, -1.5, 0.0, -0.0};
        for (double factor : new double[] {0.0, -0.0, 1e-60, 1, -2, Double.NaN, Double.POSITIVE_INFINITY}) {
            for (int n : new int[] {1, 7, 300, 5000}) {
                for (int stride = 1; stride < 3; stride++) {
                    double[] x = new double[n * stride];
                    float[] single = new float[n * stride];
                    for (int i = 0; i < n; i++) {
                        x[i * stride] = values[i % values.length];
                        single[i * stride] = (float) x[i * stride];
                    }
                    library.doubles().scal(n, factor, Operand.of(x, 0, stride));
                    library.floats().scal(n, factor, Operand.of(single, 0, stride));
                    for (int i = 0; i < n; i++) {
                        double value = values[i % values.length];
                        assertEquals(value * factor, x[i * stride], value + " times " + factor);
                        assertEquals(
                                (float) value * (float) factor, single[i * stride], value + " times float " + factor);
                    }
                }
            }
        }
    }

    @Test
    void lengthsDoNotOverflowOnTheWay() {
        double[] x = new double[10_000];
        Arrays.fill(x, 1e300);
        assertEquals(1e302, library.doubles().nrm2(x.length, Operand.of(x, 0, 1)), 1e290);
    }

    @Test
    void matricesTimesVectorsAgreeWithTheDefinitions() {
        Cases.forAll(library, SEEDS, c -> {
            int m = c.size();
            int n = c.size();
            Transpose op = c.pick(Transpose.values());
            boolean no = op == Transpose.NO;
            double alpha = c.factor();
            double beta = c.factor();
            Tile a = c.matrix(m, n);
            Tile x = c.vector(no ? n : m);
            Tile y = c.vector(no ? m : n);
            double[][] expected = Oracle.product(
                    alpha, Oracle.op(op, a.values(true), y.rows, x.rows), x.values(true), beta, y.values(true), x.rows);
            c.blas.gemv(op, m, n, alpha, a.operand(), x.operand(), beta, y.operand());
            y.check(expected, c.tolerance(x.rows), null, "gemv " + op + " " + m + " x " + n + ", " + c);

            Tile u = c.vector(m);
            Tile v = c.vector(n);
            expected = Oracle.product(
                    alpha, u.values(true), Oracle.op(Transpose.YES, v.values(true), 1, n), 1, a.values(true), 1);
            c.blas.ger(m, n, alpha, u.operand(), v.operand(), a.operand());
            a.check(expected, c.tolerance(1), null, "ger " + m + " x " + n + ", " + c);
        });
    }

    @Test
    void productsAgreeWithTheDefinition() {
        Cases.forAll(library, SEEDS, c -> {
            int m = c.size();
            int n = c.size();
            int k = c.size();
            Transpose opA = c.pick(Transpose.values());
            Transpose opB = c.pick(Transpose.values());
            double alpha = c.factor();
            double beta = c.factor();
            Tile a = opA == Transpose.NO ? c.matrix(m, k) : c.matrix(k, m);
            Tile b = opB == Transpose.NO ? c.matrix(k, n) : c.matrix(n, k);
            Tile r = c.matrix(m, n);
            double[][] expected = Oracle.product(
                    alpha,
                    Oracle.op(opA, a.values(true), m, k),
                    Oracle.op(opB, b.values(true), k, n),
                    beta,
                    r.values(true),
                    k);
            c.blas.gemm(opA, opB, m, n, k, alpha, a.operand(), b.operand(), beta, r.operand());
            r.check(expected, c.tolerance(k), null, "gemm " + opA + " " + opB + " " + m + " " + n + " " + k + ", " + c);
        });
    }

    /** Small and large ones, which are computed in memory of their own. */
    @Test
    void aProductOfNothingLeavesTheSumThatItIsAddedTo() {
        BlasRoutines<double[]> blas = library.doubles();
        for (int n : new int[] {5, 50, 200}) {
            double[] tripled = new double[n * n];
            Arrays.fill(tripled, 6);
            for (Transpose op : Transpose.values()) {
                double[] c = new double[n * n];
                Arrays.fill(c, 2);
                Operand<double[]> none = Operand.of(new double[0], 0, op == Transpose.NO ? 1 : n);
                blas.gemm(op, Transpose.NO, n, n, 0, 1, none, Operand.of(new double[0], 0, n), 3, Operand.of(c, 0, n));
                assertArrayEquals(tripled, c, "gemm " + op + " " + n);
            }
        }
    }

    @Test
    void aFactorOfZeroClearsWhateverIsThere() {
        Cases.forAll(library, 20, c -> {
            int n = c.size();
            Tile a = c.matrix(n, n);
            Tile b = c.matrix(n, n);
            Tile r = c.matrix(n, n);
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    r.set(i, j, Double.NaN);
                }
            }
            double[][] expected = Oracle.product(1, a.values(true), b.values(true), 0, r.values(true), n);
            c.blas.gemm(Transpose.NO, Transpose.NO, n, n, n, 1, a.operand(), b.operand(), 0, r.operand());
            r.check(expected, c.tolerance(n), null, "gemm over NaN, " + c);
            Tile x = c.vector(n);
            Tile y = c.vector(n);
            for (int i = 0; i < n; i++) {
                y.set(i, 0, Double.NaN);
            }
            expected = Oracle.product(1, a.values(true), x.values(true), 0, y.values(true), n);
            c.blas.gemv(Transpose.NO, n, n, 1, a.operand(), x.operand(), 0, y.operand());
            y.check(expected, c.tolerance(n), null, "gemv over NaN, " + c);
        });
    }

    /** Small and large ones, which have other kernels. */
    @Test
    void aFactorOfZeroLeavesTheProductOut() {
        for (int n : new int[] {1, 7, 40, 300}) {
            double[] none = new double[n * n];
            Arrays.fill(none, Double.NaN);
            double[] tripled = new double[n * n];
            Arrays.fill(tripled, 6);
            for (Transpose op : Transpose.values()) {
                double[] c = new double[n * n];
                Arrays.fill(c, 2);
                Operand<double[]> a = Operand.of(none, 0, n);
                library.doubles().gemm(op, Transpose.NO, n, n, n, 0, a, a, 3, Operand.of(c, 0, n));
                assertArrayEquals(tripled, c, "gemm " + op + " " + n);
            }
        }
        float[] single = {7};
        Operand<float[]> b = Operand.of(new float[] {Float.NaN}, 0, 1);
        library.floats().gemm(Transpose.NO, Transpose.NO, 1, 1, 1, 1e-60, b, b, 1, Operand.of(single, 0, 1));
        assertEquals(7, single[0], "what is zero in single precision");
    }

    @Test
    void symmetricUpdatesAgreeWithTheDefinition() {
        Cases.forAll(library, SEEDS, c -> {
            int n = c.size();
            int k = c.size();
            Transpose op = c.pick(Transpose.values());
            Triangle triangle = c.pick(Triangle.values());
            double alpha = c.factor();
            double beta = c.factor();
            Tile a = op == Transpose.NO ? c.matrix(n, k) : c.matrix(k, n);
            Tile r = c.matrix(n, n);
            double[][] left = Oracle.op(op, a.values(true), n, k);
            double[][] expected =
                    Oracle.product(alpha, left, Oracle.op(Transpose.YES, left, k, n), beta, r.values(true), k);
            c.blas.syrk(triangle, op, n, k, alpha, a.operand(), beta, r.operand());
            r.check(expected, c.tolerance(k), triangle, "syrk " + triangle + " " + op + " " + n + " " + k + ", " + c);
        });
    }

    @Test
    void triangularProductsAndSolutionsAgreeWithTheDefinition() {
        Cases.forAll(library, SEEDS, c -> {
            int m = c.size();
            int n = c.size();
            Side side = c.pick(Side.values());
            Triangle triangle = c.pick(Triangle.values());
            Transpose op = c.pick(Transpose.values());
            Diagonal diagonal = c.pick(Diagonal.values());
            double alpha = c.factor();
            int rank = side == Side.LEFT ? m : n;
            Tile a = c.triangular(rank);
            Tile b = c.matrix(m, n);
            String what = side + " " + triangle + " " + op + " " + diagonal + " " + m + " x " + n + ", " + c;
            double[][] full = Oracle.op(op, Oracle.triangle(a.values(true), triangle, diagonal), rank, rank);
            double[][] old = b.values(true);
            double[][] expected = side == Side.LEFT
                    ? Oracle.product(alpha, full, old, 0, old, rank)
                    : Oracle.product(alpha, old, full, 0, old, rank);
            c.blas.trmm(side, triangle, op, diagonal, m, n, alpha, a.operand(), b.operand());
            b.check(expected, 4 * c.tolerance(rank), null, "trmm " + what);

            b.remember();
            c.blas.trsm(side, triangle, op, diagonal, m, n, 1, a.operand(), b.operand());
            for (double[] row : old) {
                for (int j = 0; j < n; j++) {
                    row[j] *= alpha;
                }
            }
            b.check(old, 20 * c.tolerance(rank), null, "trsm " + what);
        });
    }

    @Test
    void factorsTimesEachOtherAreTheExchangedMatrix() {
        Cases.forAll(library, SEEDS, c -> {
            int most = c.random.nextInt(10) == 0 ? 3 : 1; // Several panels, now and then.
            int m = most * c.size();
            int n = most * c.size();
            int rank = Math.min(m, n);
            Tile a = c.matrix(m, n);
            Operand<int[]> pivots = Operand.of(c.pivots(rank + 3), 2, 1);
            Tile p = c.matrix(m, n);
            for (int i = 0; i < m; i++) {
                for (int j = 0; j < n; j++) {
                    p.set(i, j, a.get(i, j));
                }
            }
            double[][] old = a.values(true);
            c.blas.getrf(m, n, a.operand(), pivots);
            double[][] l = new double[m][rank];
            double[][] u = new double[rank][n];
            for (int i = 0; i < m; i++) {
                for (int j = 0; j < n; j++) {
                    if (j < i) {
                        l[i][j] = a.get(i, j);
                        assertTrue(Math.abs(l[i][j]) <= 1.0001, "no pivoting, " + c);
                    } else {
                        u[i][j] = a.get(i, j);
                    }
                }
                if (i < rank) {
                    l[i][i] = 1;
                }
            }
            a.check(a.values(true), 0, null, "getrf outside of the matrix, " + c);
            c.blas.laswp(m, n, p.operand(), 0, rank, pivots, true);
            p.check(
                    Oracle.product(1, l, u, 0, old, rank),
                    4 * c.tolerance(rank),
                    null,
                    "getrf " + m + " x " + n + ", " + c);
            c.blas.laswp(m, n, p.operand(), 0, rank, pivots, false);
            p.check(old, 0, null, "laswp back, " + c);
        });
    }

    @Test
    void solutionsSolve() {
        Cases.forAll(library, SEEDS, c -> {
            int n = c.size();
            int k = c.size();
            Transpose op = c.pick(Transpose.values());
            Tile a = c.matrix(n, n);
            for (int i = 0; i < n; i++) {
                a.set(i, n - 1 - i, n + 1); // Far from singular, and in need of exchanges.
            }
            double[][] full = Oracle.op(op, a.values(true), n, n);
            Tile b = c.matrix(n, k);
            double[][] right = b.values(true);
            Operand<int[]> pivots = Operand.of(c.pivots(n), 0, 1);
            c.blas.getrf(n, n, a.operand(), pivots);
            c.blas.getrs(op, n, k, a.operand(), pivots, b.operand());
            double[][] product = Oracle.product(1, full, b.values(true), 0, right, n);
            for (int i = 0; i < n; i++) {
                assertArrayEquals(right[i], product[i], 20 * c.tolerance(n), "getrs " + op + " " + n + ", " + c);
            }
            b.check(b.values(true), 0, null, "getrs outside of the matrix, " + c);
        });
    }

    @Test
    void rootsTimesThemselvesAreTheMatrix() {
        Cases.forAll(library, SEEDS, c -> {
            int n = c.size();
            Triangle triangle = c.pick(Triangle.values());
            Tile a = c.matrix(n, n);
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < i; j++) {
                    a.set(j, i, a.get(i, j));
                }
                a.set(i, i, n + 1);
            }
            double[][] old = a.values(true);
            c.blas.potrf(triangle, n, a.operand());
            double[][] root = Oracle.triangle(a.values(true), triangle, Diagonal.NON_UNIT);
            double[][] turned = Oracle.op(Transpose.YES, root, n, n);
            double[][] product = triangle == Triangle.LOWER
                    ? Oracle.product(1, root, turned, 0, old, n)
                    : Oracle.product(1, turned, root, 0, old, n);
            for (int i = 0; i < n; i++) {
                assertArrayEquals(
                        old[i], product[i], (n + 1) * c.tolerance(n), "potrf " + triangle + " " + n + ", " + c);
            }
            a.check(a.values(true), 0, triangle, "potrf outside of the triangle, " + c);
        });
    }

    @Test
    void aSingularMatrixNamesItsPivot() {
        for (Layout layout : Layout.values()) {
            double[] a = {1, 0, 2, 3, 0, 4, 5, 0, 7};
            double[] columns = {1, 3, 5, 0, 0, 0, 2, 4, 7};
            var error = assertThrows(
                    SingularMatrixException.class,
                    () -> library.doubles(layout)
                            .getrf(
                                    3,
                                    3,
                                    Operand.of(layout == Layout.ROW_MAJOR ? a : columns, 0, 3),
                                    Operand.pivots(new int[3], 0)));
            assertEquals(2, error.pivot());
            assertEquals("the matrix is singular: pivot 2 of 3 is zero", error.getMessage());
        }
    }

    @Test
    void aSingularMatrixNamesItsFirstPivotHoweverLarge() {
        for (Layout layout : Layout.values()) {
            int n = 200;
            double[] a = noise(n);
            for (int i = 0; i < n; i++) {
                for (int zero : new int[] {130, 190}) {
                    a[layout == Layout.ROW_MAJOR ? i * n + zero : zero * n + i] = 0;
                }
            }
            var error = assertThrows(
                    SingularMatrixException.class,
                    () -> library.doubles(layout).getrf(n, n, Operand.of(a, 0, n), Operand.pivots(new int[n], 0)));
            assertEquals(131, error.pivot());
        }
    }

    private static double[] noise(int n) {
        return new Random(11).doubles((long) n * n, -1, 1).toArray();
    }

    @Test
    void anIndefiniteMatrixNamesItsMinor() {
        for (Triangle triangle : Triangle.values()) {
            float[] a = {4, 0, 0, 0, 4, 0, 0, 0, -1};
            var error = assertThrows(
                    IndefiniteMatrixException.class, () -> library.floats().potrf(triangle, 3, Operand.of(a, 0, 3)));
            assertEquals(3, error.minor());
            assertTrue(String.valueOf(error.getMessage()).contains("minor of order 3 of 3"));
        }
    }

    @Test
    void aMatrixWithWhatIsNoNumberIsIndefinite() {
        for (Layout layout : Layout.values()) {
            for (Triangle triangle : Triangle.values()) {
                double[] a = {4, 2, 2, Double.NaN};
                var error = assertThrows(
                        IndefiniteMatrixException.class,
                        () -> library.doubles(layout).potrf(triangle, 2, Operand.of(a, 0, 2)));
                assertEquals(2, error.minor());
                float[] b = {Float.NaN, 0, 0, 4};
                assertEquals(
                        1,
                        assertThrows(
                                        IndefiniteMatrixException.class,
                                        () -> library.floats(layout).potrf(triangle, 2, Operand.of(b, 0, 2)))
                                .minor());
            }
        }
    }

    @Test
    @SuppressWarnings({"NullAway", "DataFlowIssue"})
    void nullsAreRefused() {
        BlasRoutines<double[]> blas = library.doubles();
        Operand<double[]> a = Operand.of(new double[4], 0, 2);
        assertThrows(NullPointerException.class, () -> blas.gemm(null, Transpose.NO, 2, 2, 2, 1, a, a, 0, a));
        assertThrows(NullPointerException.class, () -> blas.gemm(Transpose.NO, null, 2, 2, 2, 1, a, a, 0, a));
        assertThrows(NullPointerException.class, () -> blas.potrf(null, 2, a));
        var error = assertThrows(
                NullPointerException.class, () -> blas.gemm(Transpose.NO, Transpose.NO, 2, 2, 2, 1, null, a, 0, a));
        assertTrue(String.valueOf(error.getMessage()).contains("gemm: A"), error.getMessage());
    }

    @Test
    void operandsThatDoNotFitAreNamed() {
        BlasRoutines<double[]> blas = library.doubles();
        double[] six = new double[6];
        double[] many = new double[100];
        int[] pivots = {1, 9, 3};
        refuses("axpy: y", "it has 6", () -> blas.axpy(4, 1, Operand.of(many, 0, 1), Operand.of(six, 0, 2)));
        refuses("dot: x", "at least 1, not 0", () -> blas.dot(4, Operand.of(six, 0, 0), Operand.of(six, 0, 1)));
        refuses("scal: x", "from element -1", () -> blas.scal(2, 1, Operand.of(six, -1, 1)));
        refuses("nrm2", "not be negative", () -> blas.nrm2(-2, Operand.of(six, 0, 1)));
        refuses(
                "gemm: A",
                "3 lines of 3 elements, 3 apart, from element 0",
                () -> blas.gemm(
                        Transpose.NO,
                        Transpose.NO,
                        3,
                        3,
                        3,
                        1,
                        Operand.of(six, 0, 3),
                        Operand.of(many, 0, 3),
                        0,
                        Operand.of(many, 50, 3)));
        refuses(
                "gemm: B",
                "at least 3, not 2",
                () -> blas.gemm(
                        Transpose.NO,
                        Transpose.NO,
                        2,
                        3,
                        3,
                        1,
                        Operand.of(six, 0, 3),
                        Operand.of(many, 0, 2),
                        0,
                        Operand.of(many, 50, 3)));
        refuses(
                "gemm: C",
                "need 9 elements",
                () -> blas.gemm(
                        Transpose.NO,
                        Transpose.YES,
                        3,
                        3,
                        2,
                        1,
                        Operand.of(many, 0, 2),
                        Operand.of(many, 0, 2),
                        0,
                        Operand.of(six, 0, 3)));
        refuses(
                "syrk: C",
                "need 9",
                () -> blas.syrk(
                        Triangle.LOWER, Transpose.NO, 3, 2, 1, Operand.of(many, 0, 2), 0, Operand.of(six, 0, 3)));
        refuses(
                "trsm: A",
                "need 9",
                () -> blas.trsm(
                        Side.LEFT,
                        Triangle.LOWER,
                        Transpose.NO,
                        Diagonal.UNIT,
                        3,
                        2,
                        1,
                        Operand.of(six, 0, 3),
                        Operand.of(many, 0, 2)));
        refuses("getrf: pivots", "need 3", () -> blas.getrf(3, 3, Operand.of(many, 0, 3), Operand.pivots(pivots, 1)));
        refuses(
                "laswp: pivot 1 is 9",
                "from 1 to 4",
                () -> blas.laswp(4, 2, Operand.of(many, 0, 2), 0, 3, Operand.pivots(pivots, 0), true));
        refuses(
                "getrf: pivots need",
                "of 1, not 2",
                () -> blas.getrf(2, 2, Operand.of(many, 0, 2), Operand.of(MemorySegment.ofArray(pivots), 0, 2)));
        refuses(
                "laswp: rows 1 to before 5",
                "with 4",
                () -> blas.laswp(4, 2, Operand.of(many, 0, 2), 1, 5, Operand.pivots(pivots, 0), true));
        refuses(
                "read-only",
                "potrf: A",
                () -> blas.potrf(
                        Triangle.LOWER,
                        2,
                        Operand.of(MemorySegment.ofArray(many).asReadOnly(), 0, 2)));
        assertArrayEquals(new double[100], many, "refused calls write nothing");
    }

    private static void refuses(String one, String other, Executable call) {
        String message = String.valueOf(
                assertThrows(IllegalArgumentException.class, call).getMessage());
        assertTrue(message.contains(one) && message.contains(other), message);
    }

    @Test
    void manyThreadsAtOnceGetWhatOneGets() throws Exception {
        int n = 120;
        int threads = 8;
        Random random = new Random(7);
        float[] a = noise(random, n * n);
        float[] b = noise(random, n * n);
        BlasRoutines<float[]> blas = library.floats();
        float[] alone = new float[n * n];
        blas.gemm(
                Transpose.NO,
                Transpose.YES,
                n,
                n,
                n,
                1,
                Operand.of(a, 0, n),
                Operand.of(b, 0, n),
                0,
                Operand.of(alone, 0, n));
        assertFalse(Arrays.equals(new float[n * n], alone));
        CyclicBarrier start = new CyclicBarrier(threads);
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> all = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                all.add(pool.submit(() -> {
                    float[] c = new float[n * n];
                    start.await();
                    for (int round = 0; round < 50; round++) {
                        blas.gemm(
                                Transpose.NO,
                                Transpose.YES,
                                n,
                                n,
                                n,
                                1,
                                Operand.of(a, 0, n),
                                Operand.of(b, 0, n),
                                0,
                                Operand.of(c, 0, n));
                        assertArrayEquals(alone, c);
                        blas.scal(n, 0.5, Operand.of(c, n, 1));
                    }
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
    }

    private static float[] noise(Random random, int length) {
        float[] samples = new float[length];
        for (int i = 0; i < length; i++) {
            samples[i] = random.nextFloat() - 0.5f;
        }
        return samples;
    }
}
