package dev.jacquard.apps.linear;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.ComponentSocket;
import dev.jacquard.components.component.Input;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import dev.jacquard.numerics.sparse.SparseMatrix;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The component {@code solve-linear-ranks}: the method of conjugate gradients with a diagonal preconditioner, over the
 * rows of a symmetric positive definite matrix that each rank has. The solution has the same bits on any number of
 * ranks.
 *
 * <p>Source: seed of the component front, section 5.3.5, the linear solver of the data parallel mode; Y. Saad,
 * Iterative Methods for Sparse Linear Systems, 2003, algorithm 9.1.
 */
public final class SolveLinearRanks implements Component {
    private static final Setting<Double> LIMIT = Setting.optional(
            "limit",
            Setting.Type.number(1e-16, 1),
            "1e-10",
            "it ends when the norm of the residual is at most this, relative to that of the right-hand side");
    private static final Setting<Integer> STEPS = Setting.optional(
            "steps", Setting.Type.integer(1, 100_000_000), "100000", "the most steps; it fails if they are too few");

    /** Made by the service loader. */
    public SolveLinearRanks() {}

    @Override
    public String name() {
        return "solve-linear-ranks";
    }

    @Override
    public String description() {
        return "solves a symmetric positive definite system by conjugate gradients, its rows shared by all ranks";
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(LIMIT, STEPS);
    }

    @Override
    public List<ComponentSocket<?>> sockets(Settings settings) {
        return List.of(Sockets.MATRIX_IN, Sockets.RHS_IN, Sockets.X);
    }

    @Override
    public Set<RunMode> modes() {
        return Set.of(RunMode.values());
    }

    @Override
    public Instance open(ComponentContext context) {
        Input<SparseMatrix> matrix = context.input(Sockets.MATRIX_IN);
        Input<double[]> rhs = context.input(Sockets.RHS_IN);
        Output<double[]> x = context.output(Sockets.X);
        return () -> {
            double[] b = rhs.get();
            requireSystem(matrix.get(), b);
            double[] solution = solve(context, new RowBlocks(context.comm(), matrix.get()), b);
            if (context.comm().rank() == 0) {
                VectorFiles.write(solution, context.output(), "x");
            }
            x.set(solution);
            return true;
        };
    }

    private static void requireSystem(SparseMatrix matrix, double[] b) {
        if (!matrix.isSymmetric()) {
            throw new InputException(matrix + " is not symmetric; expected a symmetric positive definite matrix, or the"
                    + " component 'solve-linear'");
        }
        if (b.length != matrix.rows()) {
            throw new InputException("the right-hand side has " + b.length + " elements, and the matrix "
                    + matrix.rows() + " rows; expected as many");
        }
        for (int i = 0; i < b.length; i++) {
            if (!Double.isFinite(b[i])) {
                throw new InputException(
                        "the right-hand side has " + b[i] + " in row " + (i + 1) + "; expected finite numbers");
            }
        }
    }

    private static double[] solve(ComponentContext context, RowBlocks rows, double[] b) throws InterruptedException {
        int size = b.length;
        double limit = context.settings().get(LIMIT);
        int most = context.settings().get(STEPS);
        double[] inverse = inverseDiagonal(rows);
        double[] x = new double[size];
        double[] residual = b.clone();
        double[] scaled = new double[size];
        double[] direction = new double[size];
        double[] product = new double[size];
        double norm = Math.sqrt(rows.dot(b, b));
        double rest = norm;
        double before = 0;
        int step = 0;
        while (rest > limit * norm) {
            if (step == most) {
                throw new IllegalStateException(String.format(
                        Locale.ROOT,
                        "after %d steps the residual is %.3g of the right-hand side; expected %.3g: give more 'steps',"
                                + " or a larger 'limit'",
                        most,
                        rest / norm,
                        limit));
            }
            context.cancellation().check();
            for (int i = rows.begin(); i < rows.end(); i++) {
                scaled[i] = residual[i] * inverse[i];
            }
            double now = rows.dot(residual, scaled);
            double turn = step == 0 ? 0 : now / before;
            for (int i = rows.begin(); i < rows.end(); i++) {
                direction[i] = scaled[i] + turn * direction[i];
            }
            rows.multiply(direction, product);
            double curvature = rows.dot(direction, product);
            if (!(curvature > 0)) {
                throw notDefinite(String.format(Locale.ROOT, "p A p is %.3g for a direction p", curvature));
            }
            double length = now / curvature;
            for (int i = rows.begin(); i < rows.end(); i++) {
                x[i] += length * direction[i];
                residual[i] -= length * product[i];
            }
            before = now;
            rest = Math.sqrt(rows.dot(residual, residual));
            step++;
        }
        rows.complete(x);
        context.report(report(context, step, norm == 0 ? 0 : rest / norm));
        return x;
    }

    private static InputException notDefinite(String why) {
        return new InputException("the matrix is not positive definite, since " + why
                + "; expected a symmetric positive definite matrix, or the component 'solve-linear'");
    }

    private static double[] inverseDiagonal(RowBlocks rows) throws InterruptedException {
        double[] inverse = rows.diagonal();
        double[] wrong = new double[inverse.length];
        for (int i = rows.begin(); i < rows.end(); i++) {
            wrong[i] = inverse[i] > 0 ? 0 : 1;
            inverse[i] = 1 / inverse[i];
        }
        double count = rows.dot(wrong, wrong); // all ranks fail, or none
        if (count > 0) {
            throw notDefinite((long) count + " of the elements of its diagonal are not above 0");
        }
        return inverse;
    }

    private static Report report(ComponentContext context, int steps, double residual) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("ranks", context.comm().size());
        values.put("steps", steps);
        values.put("residual", residual);
        return new Report(
                List.of(String.format(
                        Locale.ROOT,
                        "%d steps on %d %s, residual %.3g",
                        steps,
                        context.comm().size(),
                        context.comm().size() == 1 ? "rank" : "ranks",
                        residual)),
                values);
    }
}
