package dev.jacquard.apps.linear;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.Input;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.Socket;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import dev.jacquard.numerics.sparse.SparseMatrix;
import java.util.List;

/** The component {@code factorize}: the dense factors of a square matrix, made by tasks on all workers. */
public final class Factorize implements Component {
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
    public List<Socket<?>> sockets(Settings settings) {
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
