package dev.jacquard.bench.devices;

import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.numerics.blas.Blas.Transpose;
import dev.jacquard.numerics.blas.BlasRoutines;
import dev.jacquard.numerics.blas.Operand;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntBinaryOperator;

/**
 * A product of two square matrices in tiles, each of them data in memory of the engine's, so that no array of all
 * exists.
 *
 * <p>The factors are {@code f(i) + g(k)} and {@code p(k) + q(j)} for small whole numbers, so that the product is
 * {@code n f(i) q(j) + f(i) Σp + q(j) Σg + Σ g p}, exactly.
 */
final class TiledProduct {
    /** The periods of the values of {@code f, g, p, q}; primes, so that no two tiles are alike. */
    private static final int F = 61;

    private static final int G = 53;
    private static final int P = 47;
    private static final int Q = 59;

    private final Session session;
    private final BlasRoutines<double[]> blas;
    private final int tiles;
    private final int side;
    private final Data[][] a;
    private final Data[][] b;
    private final Data[][] c;

    /** Matrices of {@code tiles * tiles} tiles of {@code side * side} elements. */
    TiledProduct(Session session, BlasRoutines<double[]> blas, int tiles, int side) {
        this.session = session;
        this.blas = blas;
        this.tiles = tiles;
        this.side = side;
        a = matrix("a");
        b = matrix("b");
        c = matrix("c");
    }

    private Data[][] matrix(String name) {
        Data[][] made = new Data[tiles][tiles];
        for (int i = 0; i < tiles; i++) {
            for (int j = 0; j < tiles; j++) {
                made[i][j] = session.data().matrix(name + i + "," + j, DataType.FLOAT64, side, side);
            }
        }
        return made;
    }

    /** Writes the factors, and zeros where the product is to be. */
    void fill() {
        fill(a, (i, k) -> i % F + k % G);
        fill(b, (k, j) -> k % P + j % Q);
        fill(c, (i, j) -> 0);
        session.graph().await();
    }

    private void fill(Data[][] matrix, IntBinaryOperator value) {
        for (int i = 0; i < tiles; i++) {
            for (int j = 0; j < tiles; j++) {
                Data tile = matrix[i][j];
                int firstRow = i * side;
                int firstColumn = j * side;
                session.graph().task("fill").writes(tile).run(ctx -> {
                    Memory memory = ctx.memory(tile);
                    for (int row = 0; row < side; row++) {
                        for (int column = 0; column < side; column++) {
                            memory.setDouble(row, column, value.applyAsInt(firstRow + row, firstColumn + column));
                        }
                    }
                });
            }
        }
    }

    /** Two rows of the product at a time, so that a tile of the second factor serves both. */
    void multiply() {
        TaskGraph graph = session.graph();
        for (int row = 0; row < tiles; row += 2) {
            for (int k = 0; k < tiles; k++) {
                for (int j = 0; j < tiles; j++) {
                    for (int i = row; i < Math.min(row + 2, tiles); i++) {
                        product(graph, a[i][k], b[k][j], c[i][j]);
                    }
                }
            }
        }
        graph.await();
    }

    private void product(TaskGraph graph, Data a, Data b, Data c) {
        graph.task("gemm").reads(a).reads(b).updates(c).run(ctx -> {
            Operand<double[]> left = Operand.of(ctx.memory(a).segment(), 0, side);
            Operand<double[]> right = Operand.of(ctx.memory(b).segment(), 0, side);
            Operand<double[]> sum = Operand.of(ctx.memory(c).segment(), 0, side);
            blas.gemm(Transpose.NO, Transpose.NO, side, side, side, 1, left, right, 1, sum);
        });
    }

    /** The number of wrong elements of the product. */
    long wrong() {
        List<Task<Long>> wrong = new ArrayList<>();
        for (int i = 0; i < tiles; i++) {
            for (int j = 0; j < tiles; j++) {
                Data tile = c[i][j];
                int firstRow = i * side;
                int firstColumn = j * side;
                wrong.add(session.graph()
                        .task("check")
                        .reads(tile)
                        .call(ctx -> wrong(ctx.memory(tile), firstRow, firstColumn)));
            }
        }
        return wrong.stream().mapToLong(Task::join).sum();
    }

    private long wrong(Memory tile, long firstRow, long firstColumn) {
        long n = (long) tiles * side;
        long sumG = 0;
        long sumP = 0;
        long sumGP = 0;
        for (long k = 0; k < n; k++) {
            long g = k % G;
            long p = k % P;
            sumG += g;
            sumP += p;
            sumGP += g * p;
        }
        long wrong = 0;
        for (int row = 0; row < side; row++) {
            long f = (firstRow + row) % F;
            for (int column = 0; column < side; column++) {
                long q = (firstColumn + column) % Q;
                double expected = n * f * q + f * sumP + q * sumG + sumGP;
                wrong += tile.getDouble(row, column) == expected ? 0 : 1;
            }
        }
        return wrong;
    }
}
