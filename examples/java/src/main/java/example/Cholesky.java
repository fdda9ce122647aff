package example;

import module dev.jacquard.core;
import module dev.jacquard.drawing;
import module java.base;

/** A tiled Cholesky factorization: A = L Lᵀ, a task for each tile and step. */
public final class Cholesky {
    private static final int TILES = 5;
    private static final int SIZE = 64;

    public static void main(String[] args) throws IOException {
        int n = TILES * SIZE;
        try (Session session = Session.builder().keepGraphs().open()) {
            List<List<Handle<double[]>>> a = new ArrayList<>();   // the tiles on and below the diagonal, row by row
            for (int i = 0; i < TILES; i++) {
                List<Handle<double[]>> row = new ArrayList<>();
                for (int j = 0; j <= i; j++) row.add(session.wrap("A" + i + j, tile(i, j, n)));
                a.add(row);
            }
            TaskGraph graph = session.graph();
            for (int k = 0; k < TILES; k++) {
                Handle<double[]> diagonal = a.get(k).get(k);
                graph.task("factor " + k).updates(diagonal).run(ctx -> factor(ctx.get(diagonal)));
                for (int i = k + 1; i < TILES; i++) {
                    Handle<double[]> below = a.get(i).get(k);
                    graph.task("solve " + i + k).reads(diagonal).updates(below)
                            .run(ctx -> solve(ctx.get(diagonal), ctx.get(below)));
                }
                for (int i = k + 1; i < TILES; i++) {
                    for (int j = k + 1; j <= i; j++) {
                        Handle<double[]> left = a.get(i).get(k);
                        Handle<double[]> right = a.get(j).get(k);
                        Handle<double[]> to = a.get(i).get(j);
                        graph.task("update " + i + j).reads(left).reads(right).updates(to)
                                .run(ctx -> subtract(ctx.get(left), ctx.get(right), ctx.get(to)));
                    }
                }
            }
            graph.await();

            IO.println(graph.report());                           // prints: 35 tasks: 35 done
            IO.println(largestError(a, n) < 1e-9);                // prints: true
            GraphSnapshot history = graph.history();
            GraphDrawing.of(history).writeSvg(Path.of("cholesky.svg"));
            IO.println(GraphAnalysis.of(history.dependencyGraph()).depth() + " deep");   // prints: 13 deep
        }
    }

    /** An element of the matrix, which is symmetric and positive definite. */
    private static double element(int row, int column, int n) {
        return row == column ? n : 1.0 / (1 + Math.abs(row - column));
    }

    private static double[] tile(int i, int j, int n) {
        double[] tile = new double[SIZE * SIZE];
        for (int r = 0; r < SIZE; r++) {
            for (int c = 0; c < SIZE; c++) tile[r * SIZE + c] = element(i * SIZE + r, j * SIZE + c, n);
        }
        return tile;
    }

    /** A tile of the diagonal becomes its own factor. */
    private static void factor(double[] a) {
        for (int j = 0; j < SIZE; j++) {
            for (int i = j; i < SIZE; i++) {
                double sum = a[i * SIZE + j];
                for (int k = 0; k < j; k++) sum -= a[i * SIZE + k] * a[j * SIZE + k];
                a[i * SIZE + j] = i == j ? Math.sqrt(sum) : sum / a[j * SIZE + j];
            }
            for (int c = j + 1; c < SIZE; c++) a[j * SIZE + c] = 0;
        }
    }

    /** b becomes b L⁻ᵀ. */
    private static void solve(double[] l, double[] b) {
        for (int r = 0; r < SIZE; r++) {
            for (int j = 0; j < SIZE; j++) {
                double sum = b[r * SIZE + j];
                for (int k = 0; k < j; k++) sum -= b[r * SIZE + k] * l[j * SIZE + k];
                b[r * SIZE + j] = sum / l[j * SIZE + j];
            }
        }
    }

    /** c becomes c - a bᵀ. */
    private static void subtract(double[] a, double[] b, double[] c) {
        for (int i = 0; i < SIZE; i++) {
            for (int j = 0; j < SIZE; j++) {
                double sum = 0;
                for (int k = 0; k < SIZE; k++) sum += a[i * SIZE + k] * b[j * SIZE + k];
                c[i * SIZE + j] -= sum;
            }
        }
    }

    /** The largest difference between an element of L Lᵀ and that of the matrix. */
    private static double largestError(List<List<Handle<double[]>>> l, int n) {
        double largest = 0;
        for (int row = 0; row < n; row++) {
            for (int column = 0; column <= row; column++) {
                double sum = 0;
                for (int k = 0; k <= column; k++) sum += at(l, row, k) * at(l, column, k);
                largest = Math.max(largest, Math.abs(sum - element(row, column, n)));
            }
        }
        return largest;
    }

    private static double at(List<List<Handle<double[]>>> l, int row, int column) {
        return l.get(row / SIZE).get(column / SIZE).value()[row % SIZE * SIZE + column % SIZE];
    }
}
