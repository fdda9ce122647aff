package dev.jacquard.apps.linear;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.ComponentSocket;
import dev.jacquard.components.component.Input;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import dev.jacquard.numerics.sparse.MatrixMarket;
import dev.jacquard.numerics.sparse.SparseMatrix;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The components for systems of linear equations. Named as services one by one. */
public final class Linear {
    private Linear() {}

    /** Returns a right-hand side, which is refused if it is not finite. */
    private static double[] finite(double... rhs) {
        for (int i = 0; i < rhs.length; i++) {
            if (!Double.isFinite(rhs[i])) {
                throw new InputException("the right-hand side has " + rhs[i] + " in row " + (i + 1)
                        + "; expected finite numbers, also as the sums of a matrix's rows");
            }
        }
        return rhs;
    }

    /**
     * The component {@code read-matrix}: a matrix of a MatrixMarket file, and a right-hand side of which x = 1 is
     * known.
     */
    public static final class ReadMatrix implements Component {
        private static final Setting<String> FILE = Setting.required(
                "file",
                Setting.Type.text("a file"),
                "the matrix in MatrixMarket form: coordinate or array; real, integer, unsigned-integer or pattern;"
                        + " general, symmetric or skew-symmetric");
        private static final Source<SparseMatrix> MATRIX = Source.of("matrix", Sockets.MATRIX, "The matrix A.");
        private static final Source<double[]> RHS =
                Source.of("rhs", Sockets.VECTOR, "The sums of its rows: A x = b for an x of ones.");

        /** Made by the service loader. */
        public ReadMatrix() {}

        @Override
        public String name() {
            return "read-matrix";
        }

        @Override
        public String description() {
            return "reads a matrix from a MatrixMarket file";
        }

        /** On all ranks, each reads the file. */
        @Override
        public Set<RunMode> modes() {
            return Set.of(RunMode.values());
        }

        @Override
        public String dataFolder() {
            return "matrices";
        }

        @Override
        public List<Setting<?>> settings() {
            return List.of(FILE);
        }

        @Override
        public void check(Settings settings) {
            settings.file(FILE);
        }

        @Override
        public List<ComponentSocket<?>> sockets(Settings settings) {
            return List.of(MATRIX, RHS);
        }

        @Override
        public Instance open(ComponentContext context) {
            Path file = context.settings().file(FILE);
            Output<SparseMatrix> matrix = context.output(MATRIX);
            Output<double[]> rhs = context.output(RHS);
            return () -> {
                SparseMatrix read = read(file);
                matrix.set(read);
                double[] ones = new double[read.columns()];
                Arrays.fill(ones, 1);
                rhs.set(read.times(ones));
                context.report(report(read));
                return true;
            };
        }

        private static SparseMatrix read(Path file) throws IOException {
            try {
                return MatrixMarket.read(file);
            } catch (MatrixMarket.FormatException e) {
                throw new InputException(String.valueOf(e.getMessage()), e);
            }
        }

        private static Report report(SparseMatrix matrix) {
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("rows", matrix.rows());
            values.put("columns", matrix.columns());
            values.put("entries", matrix.entries());
            return new Report(List.of(matrix.toString()), values);
        }
    }

    /** The component {@code factorize}: the dense factors of a square matrix, made by tasks on all workers. */
    public static final class Factorize implements Component {
        private static final Source<Factors> FACTORS = Source.of("factors", Sockets.FACTORS, "Factors of A.");

        /** Made by the service loader. */
        public Factorize() {}

        @Override
        public String name() {
            return "factorize";
        }

        @Override
        public String description() {
            return "factors a square matrix by the methods of Cholesky or Gauss";
        }

        @Override
        public List<Setting<?>> settings() {
            return List.of(Factorizer.PRECISION, Factorizer.METHOD, Factorizer.PANEL);
        }

        @Override
        public List<ComponentSocket<?>> sockets(Settings settings) {
            return List.of(Sockets.MATRIX_IN, FACTORS);
        }

        @Override
        public Instance open(ComponentContext context) {
            Factorizer factorizer = new Factorizer(context);
            Input<SparseMatrix> matrix = context.input(Sockets.MATRIX_IN);
            Output<Factors> output = context.output(FACTORS);
            return () -> {
                Factors factors = factorizer.factors(matrix.get());
                output.set(factors);
                context.result(factorizer.described(factors));
                return true;
            };
        }
    }

    /**
     * The component {@code correct}: solves with factors; as the entry of a loop it corrects the last solution by the
     * factors' solution for the residual.
     */
    public static final class Correct implements Component {
        private static final Sink<Factors> FACTORS = Sink.of("factors", Sockets.FACTORS, "Factors of A.");
        private static final Sink<Refinement> AGAIN = Sink.optional(
                "again", Sockets.REFINEMENT, "The last solution and its residual; empty where it is to solve for b.");

        /** Made by the service loader. */
        public Correct() {}

        @Override
        public String name() {
            return "correct";
        }

        @Override
        public String description() {
            return "solves a system with the factors of its matrix, and corrects the solution pass by pass";
        }

        @Override
        public List<ComponentSocket<?>> sockets(Settings settings) {
            return List.of(FACTORS, Sockets.RHS_IN, AGAIN, Sockets.X);
        }

        @Override
        public boolean neverWaits() {
            return true;
        }

        @Override
        public Instance open(ComponentContext context) {
            Input<Factors> factors = context.input(FACTORS);
            Input<double[]> rhs = context.input(Sockets.RHS_IN);
            Input<Refinement> again = context.input(AGAIN);
            Output<double[]> x = context.output(Sockets.X);
            return () -> {
                x.set(
                        again.isEmpty()
                                ? factors.get().solve(finite(rhs.get()))
                                : again.get().corrected(factors.get()));
                return true;
            };
        }
    }

    /** The component {@code residual}: the error of a solution; it ends the loop that makes it small. */
    public static final class Residual implements Component {
        private static final Sink<double[]> X_IN = Sink.of("x", Sockets.VECTOR, "A solution of A x = b.");
        private static final Source<Double> ERROR = Source.of(
                "error", SocketType.of(Double.class), "|b - Ax| / (|A| |x| + |b|), the largest elements of each.");
        private static final Source<Refinement> AGAIN =
                Source.again("again", Sockets.REFINEMENT, "The solution and its residual, for the next correction.");

        /** Made by the service loader. */
        public Residual() {}

        @Override
        public String name() {
            return "residual";
        }

        @Override
        public String description() {
            return "computes the error of a solution, and ends a loop when that is small";
        }

        @Override
        public List<Setting<?>> settings() {
            return List.of(Refinement.LIMIT, Refinement.PASSES);
        }

        @Override
        public Optional<Setting<Integer>> passLimit() {
            return Optional.of(Refinement.PASSES);
        }

        @Override
        public List<ComponentSocket<?>> sockets(Settings settings) {
            return List.of(Sockets.MATRIX_IN, Sockets.RHS_IN, X_IN, Sockets.X, ERROR, AGAIN);
        }

        @Override
        public boolean neverWaits() {
            return true;
        }

        @Override
        public Instance open(ComponentContext context) {
            double limit = context.settings().get(Refinement.LIMIT);
            int passes = context.settings().get(Refinement.PASSES);
            Input<SparseMatrix> matrix = context.input(Sockets.MATRIX_IN);
            Input<double[]> rhs = context.input(Sockets.RHS_IN);
            Input<double[]> x = context.input(X_IN);
            Output<double[]> found = context.output(Sockets.X);
            Output<Double> error = context.output(ERROR);
            Output<Refinement> again = context.output(AGAIN);
            return new Instance() {
                private int pass;

                {
                    context.keep("pass", SocketType.of(Integer.class), () -> pass, its -> pass = its);
                }

                @Override
                public boolean execute() {
                    Refinement now = Refinement.of(matrix.get(), rhs.get(), x.get());
                    found.set(now.x());
                    error.set(now.error());
                    again.set(now);
                    pass++;
                    boolean leaves = now.isSmall(limit, pass, passes);
                    if (leaves) {
                        context.report(now.report(pass));
                        pass = 0;
                    }
                    return leaves;
                }
            };
        }
    }

    /** The component {@code solve-linear}: factors a matrix, solves, and corrects until the error is small. */
    public static final class SolveLinear implements Component {
        /** The right-hand side is that of the sink. */
        private static final String SINK = "sink";

        private static final Setting<String> RHS_FILE = Setting.optional(
                "rhs",
                Setting.Type.text("a file, or " + SINK),
                SINK,
                "the right-hand side b: a vector of NumPy (.npy), or a matrix of one column in MatrixMarket form; "
                        + SINK + " takes that of the sink 'rhs', which is there then only");

        /** Made by the service loader. */
        public SolveLinear() {}

        @Override
        public String name() {
            return "solve-linear";
        }

        @Override
        public String description() {
            return "solves a system of linear equations to the last digit that counts";
        }

        @Override
        public List<Setting<?>> settings() {
            return List.of(
                    RHS_FILE,
                    Factorizer.PRECISION,
                    Factorizer.METHOD,
                    Factorizer.PANEL,
                    Refinement.LIMIT,
                    Refinement.PASSES);
        }

        @Override
        public String dataFolder() {
            return "matrices";
        }

        @Override
        public void check(Settings settings) {
            if (!hasSink(settings)) {
                settings.file(RHS_FILE);
            }
        }

        private static boolean hasSink(Settings settings) {
            return settings.get(RHS_FILE).equals(SINK);
        }

        @Override
        public List<ComponentSocket<?>> sockets(Settings settings) {
            return hasSink(settings)
                    ? List.of(Sockets.MATRIX_IN, Sockets.RHS_IN, Sockets.X)
                    : List.of(Sockets.MATRIX_IN, Sockets.X);
        }

        @Override
        public Instance open(ComponentContext context) {
            double limit = context.settings().get(Refinement.LIMIT);
            int passes = context.settings().get(Refinement.PASSES);
            Factorizer factorizer = new Factorizer(context);
            Input<SparseMatrix> matrix = context.input(Sockets.MATRIX_IN);
            boolean hasSink = hasSink(context.settings());
            @Nullable Path file = hasSink ? null : context.settings().file(RHS_FILE);
            @Nullable Input<double[]> rhs = hasSink ? context.input(Sockets.RHS_IN) : null;
            Output<double[]> x = context.output(Sockets.X);
            return () -> {
                SparseMatrix a = matrix.get();
                double[] b = finite(rhs != null ? rhs.get() : VectorFiles.read(Objects.requireNonNull(file), a.rows()));
                Factors factors = factorizer.factors(a);
                Refinement now = Refinement.of(a, b, factors.solve(b));
                int pass = 1;
                while (!now.isSmall(limit, pass, passes)) {
                    context.cancellation().check();
                    now = Refinement.of(a, b, now.corrected(factors));
                    pass++;
                }
                VectorFiles.write(now.x(), context.output(), "x");
                x.set(now.x());
                context.report(now.report(pass));
                return true;
            };
        }
    }
}
