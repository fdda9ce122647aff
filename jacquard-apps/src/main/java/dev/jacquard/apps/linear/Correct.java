package dev.jacquard.apps.linear;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.Input;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.Socket;
import dev.jacquard.components.program.Settings;
import java.util.List;

/**
 * The component {@code correct}: solves with factors; in a loop, whose entry it is, it corrects the last solution by
 * what the factors make of the residual.
 */
public final class Correct implements Component {
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
    public List<Socket<?>> sockets(Settings settings) {
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
            x.set(again.isEmpty() ? factors.get().solve(rhs.get()) : again.get().corrected(factors.get()));
            return true;
        };
    }
}
