package dev.jacquard.apps.linear;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.Input;
import dev.jacquard.components.component.Mode;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.Socket;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import dev.jacquard.numerics.sparse.SparseMatrix;
import java.util.List;
import java.util.Set;

/** The component {@code solve-linear}: factors a matrix, solves, and corrects until the error is small. */
public final class SolveLinear implements Component {
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
        return List.of(Factorizer.PRECISION, Factorizer.METHOD, Factorizer.PANEL, Refinement.LIMIT, Refinement.PASSES);
    }

    @Override
    public List<Socket<?>> sockets(Settings settings) {
        return List.of(Sockets.MATRIX_IN, Sockets.RHS_IN, Sockets.X);
    }

    @Override
    public Set<Mode> modes() {
        return Set.of(Mode.SERIAL, Mode.PARALLEL, Mode.TASK_PARALLEL);
    }

    @Override
    public Instance open(ComponentContext context) {
        double limit = context.settings().get(Refinement.LIMIT);
        int passes = context.settings().get(Refinement.PASSES);
        Factorizer factorizer = new Factorizer(context);
        Input<SparseMatrix> matrix = context.input(Sockets.MATRIX_IN);
        Input<double[]> rhs = context.input(Sockets.RHS_IN);
        Output<double[]> x = context.output(Sockets.X);
        return () -> {
            Factors factors = factorizer.factors(matrix.get());
            Refinement now = Refinement.of(matrix.get(), rhs.get(), factors.solve(rhs.get()));
            int pass = 1;
            while (!now.isSmall(limit, pass, passes)) {
                context.cancellation().check();
                now = Refinement.of(matrix.get(), rhs.get(), now.corrected(factors));
                pass++;
            }
            x.set(now.x());
            context.report(now.report(pass));
            return true;
        };
    }
}
