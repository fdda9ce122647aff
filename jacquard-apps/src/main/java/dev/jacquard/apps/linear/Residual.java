package dev.jacquard.apps.linear;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.Input;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.Socket;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import dev.jacquard.numerics.sparse.SparseMatrix;
import java.util.List;

/** The component {@code residual}: the error of a solution; it ends the loop that makes it small. */
public final class Residual implements Component {
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
    public List<Socket<?>> sockets(Settings settings) {
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
