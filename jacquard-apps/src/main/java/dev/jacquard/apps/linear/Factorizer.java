package dev.jacquard.apps.linear;

import dev.jacquard.apps.linear.Elements.Doubles;
import dev.jacquard.apps.linear.Elements.Singles;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Setting;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.numerics.blas.Blas;
import dev.jacquard.numerics.blas.Blases;
import dev.jacquard.numerics.sparse.SparseMatrix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Factors matrices by tasks of a session. A panel is changed by the earlier ones in their order, so that the factors
 * are the same to the bit for any number of workers.
 *
 * <pre>
 *   panel 0 --+--> 0 on 1 --> panel 1 --> 1 on 2 --> panel 2 --> ...     a task each
 *             +--> 0 on 2 -------------^
 * </pre>
 *
 * <p>Confined to one thread at a time.
 */
final class Factorizer {
    static final Setting<Precision> PRECISION = Setting.optional(
            "precision",
            Setting.Type.choice(Precision.class),
            "double",
            "the precision of the factors; float takes half the memory and time, and more passes of refinement");
    static final Setting<Method> METHOD = Setting.optional(
            "method",
            Setting.Type.choice(Method.class),
            "auto",
            "cholesky for matrices that are symmetric and positive definite, lu for any; auto tries cholesky first"
                    + " where the matrix is symmetric");
    static final Setting<Integer> PANEL = Setting.optional(
            "panel",
            Setting.Type.integerOrAuto(1, 4096),
            "auto",
            "columns that a task works on; other ones round otherwise");

    /** Panels are multiples of it: BLAS then rounds as it does without panels ({@code docs/blas.md}). */
    private static final int LEAST_WIDTH = 16;

    /** The same on all machines, whatever their caches: another width rounds otherwise. */
    private static final int MOST_WIDTH = 128;
    /** Enough for some workers. */
    private static final int PANELS = 16;

    /** That of the component in its program. */
    private final String name;

    private final Session session;
    private final TaskGraph graph;
    private final Precision precision;
    private final Method method;
    private final int panel;

    /** The factorisation. */
    enum Method {
        AUTO,
        CHOLESKY,
        LU
    }

    /** Settings are from a component that declares all three. */
    Factorizer(ComponentContext context) {
        this.name = context.name();
        this.session = context.session();
        this.graph = session.graph(name, FailurePolicy.CONTINUE);
        this.precision = context.settings().get(PRECISION);
        this.method = context.settings().get(METHOD);
        this.panel = context.settings().get(PANEL);
        context.cancellation().onCancel(graph::cancel);
    }

    /**
     * Returns the factors of a matrix.
     *
     * @throws InputException if it is not square, too large, singular, or not positive definite where that is asked for
     */
    Factors factors(SparseMatrix matrix) {
        requireRoom(matrix);
        if (method != Method.LU) {
            Factors found = definite(matrix);
            if (found != null) {
                return found;
            }
        }
        try {
            return factored(matrix, Scaling.ofGeneral(matrix), false);
        } catch (Blas.SingularMatrixException e) {
            throw new InputException(
                    "the " + matrix + " cannot be factored" + inPrecision() + ": " + e.getMessage()
                            + orDouble("; expected one that is regular when its entries are floats"),
                    e);
        }
    }

    private String inPrecision() {
        return precision == Precision.FLOAT ? " in single precision" : "";
    }

    /** Returns an advice for factors in single precision, which a matrix of condition 1e7 may have no more. */
    private String orDouble(String expected) {
        return precision == Precision.FLOAT ? expected + ", or factors in double: '" + name + ".precision=double'" : "";
    }

    private @Nullable Factors definite(SparseMatrix matrix) {
        @Nullable Scaling scaling = matrix.isSymmetric() ? Scaling.ofDefinite(matrix) : null;
        String why = "it is not symmetric, or its diagonal is not positive";
        if (scaling != null) {
            try {
                return factored(matrix, scaling, true);
            } catch (Blas.IndefiniteMatrixException e) {
                why = String.valueOf(e.getMessage());
            }
        }
        if (method == Method.CHOLESKY) {
            throw new InputException("the " + matrix + " has no Cholesky factors" + inPrecision() + ": " + why
                    + "; expected one that is symmetric and positive definite, or 'method: lu'" + orDouble(""));
        }
        return null;
    }

    private void requireRoom(SparseMatrix matrix) {
        if (matrix.rows() != matrix.columns()) {
            throw new InputException("the " + matrix + " cannot be factored; expected as many rows as columns");
        }
        long heap = Runtime.getRuntime().maxMemory();
        long most = Math.min((long) Math.sqrt(heap / 2.0 / precision.bytes), Integer.MAX_VALUE / width(1 << 16));
        if (matrix.rows() > most) {
            throw new InputException("the " + matrix + " cannot be factored: its factors are dense; expected " + most
                    + " rows at most, for a heap of " + heap + " bytes");
        }
    }

    private int width(int order) {
        if (panel > 0) {
            return Math.min(panel, order);
        }
        int multiple = Math.clamp(Math.ceilDiv(order, PANELS * LEAST_WIDTH), 1, MOST_WIDTH / LEAST_WIDTH);
        return Math.min(order, multiple * LEAST_WIDTH);
    }

    private Factors factored(SparseMatrix matrix, Scaling scaling, boolean isDefinite) {
        return switch (precision) {
            case FLOAT -> factored(matrix, scaling, isDefinite, new Singles());
            case DOUBLE -> factored(matrix, scaling, isDefinite, new Doubles());
        };
    }

    private <A> Factors factored(SparseMatrix matrix, Scaling scaling, boolean isDefinite, Elements<A> elements) {
        Blas library = Blases.open("auto");
        Panels<A> panels = Panels.zeros(elements, matrix.rows(), width(matrix.rows()));
        matrix.forEach((row, column, value) -> panels.set(row, column, scaling.scaled(row, column, value)));
        Factors factors = isDefinite
                ? new Factors.Cholesky<>(scaling, panels, library)
                : new Factors.Lu<>(scaling, panels, library);
        List<Handle<A>> handles = new ArrayList<>();
        for (int i = 0; i < panels.count(); i++) {
            handles.add(session.wrap("panel " + i, panels.arrays().get(i)));
        }
        for (int i = 0; i < panels.count(); i++) {
            int its = i;
            graph.task("panel " + i).updates(handles.get(i)).run(ctx -> factors.panel(its));
            for (int j = i + 1; j < panels.count(); j++) {
                int later = j;
                graph.task("update of " + j + " by " + i)
                        .reads(handles.get(i))
                        .updates(handles.get(j))
                        .run(ctx -> factors.update(its, later));
            }
        }
        try {
            graph.await();
        } catch (TaskFailedException e) {
            throw e.getCause() instanceof ArithmeticException why ? why : e;
        }
        if (factors instanceof Factors.Lu<?> lu) {
            lu.requireRegular(() -> largestColumn(matrix, scaling));
        }
        return factors;
    }

    private static double largestColumn(SparseMatrix matrix, Scaling scaling) {
        double[] sums = new double[matrix.columns()];
        matrix.forEach((row, column, value) -> sums[column] += Math.abs(scaling.scaled(row, column, value)));
        return Arrays.stream(sums).max().orElse(0);
    }

    /** Returns the description of factors for a report. */
    String described(Factors factors) {
        return factors.method() + " factors in " + Setting.Type.nameOf(precision) + " of order " + factors.order()
                + ", " + Objects.requireNonNull(factors).panels() + " panels";
    }
}
