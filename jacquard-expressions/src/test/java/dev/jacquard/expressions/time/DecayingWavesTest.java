package dev.jacquard.expressions.time;

import static dev.jacquard.expressions.language.Operators.dx;
import static dev.jacquard.expressions.language.Operators.dy;
import static dev.jacquard.expressions.language.Operators.laplacian;
import static dev.jacquard.expressions.language.Operators.stencil;
import static dev.jacquard.expressions.tree.Boundaries.Condition.periodic;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Stencil;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Model;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Euler's longest stable step where all waves decay, against the least of all waves of the grid. */
class DecayingWavesTest {
    private static final Tag<Cell> U = Tag.cell("u");
    private static final Tag<Cell> RATE = Tag.cell("du/dt");

    private static double step(Grid grid, Expr<Cell> rate) {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(U, (x, y, z) -> Math.sin(2 * Math.PI * x / 8));
            return integrator(fields, rate).stableStep();
        }
    }

    private static Integrator integrator(FieldStore fields, Expr<Cell> rate) {
        Ssp.Of steps = Ssp.order(1)
                .advance(U, RATE)
                .of(Model.of(fields.grid()).source(U).define(RATE, rate).tree(RATE))
                .boundary(U, Side.X_LOW, periodic());
        return (fields.grid().dimensions() == 1 ? steps : steps.boundary(U, Side.Y_LOW, periodic())).compile(fields);
    }

    /** Returns Euler's longest step for a rate of change with that real and imaginary part. */
    private static double longest(double re, double im) {
        return -2 * re / (re * re + im * im);
    }

    /** A decay, however small, let the step be twice as long as long waves bear. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-7, 1e-6, 1e-4, 0.001, 0.02, 0.1, 0.5, 3})
    void alongALine(double decay) {
        double diffusivity = 0.19;
        double speed = 3;
        double least = Double.POSITIVE_INFINITY;
        for (int i = 1; i <= 32; i++) {
            double phase = Math.PI * i / 32;
            least = Math.min(least, longest(-decay - 2 * diffusivity * (1 - Math.cos(phase)), speed * Math.sin(phase)));
        }
        Expr<Cell> rate =
                laplacian(U).times(diffusivity).minus(dx(U).times(speed)).minus(U.times(decay));
        double found = step(Grid.of(64).ghosts(1), rate);
        assertTrue(found <= least * (1 + 1e-9) && found > 0.9 * least, found + " for " + least);
    }

    @Test
    void wavesDoNotGrowInSteps() {
        Grid grid = Grid.of(64).ghosts(1);
        Expr<Cell> rate = laplacian(U).times(0.19).minus(dx(U).times(3)).minus(U.times(0.02));
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(U, (x, y, z) -> Math.sin(2 * Math.PI * x / 8) + 0.1 * Math.sin(2 * Math.PI * x / 32));
            Integrator steps = integrator(fields, rate);
            double before = fields.norm2(U);
            steps.run(4_000, 0.9 * steps.stableStep());
            assertTrue(fields.norm2(U) < before);
        }
    }

    /** Central and upwind differences, as drawn. */
    @Test
    void inAPlane() {
        Random random = new Random(1421);
        for (int i = 0; i < 40; i++) {
            double decay = Math.pow(10, -5 * random.nextDouble());
            double diffusivity = 0.02 + 0.3 * random.nextDouble();
            double speed = 3 * random.nextDouble();
            double other = 3 * random.nextDouble();
            double upwind = random.nextBoolean() ? random.nextDouble() : 0; // of a flow along x
            Expr<Cell> windward =
                    stencil(U, Stencil.builder().at(0, 0, 0, 1).at(-1, 0, 0, -1).build());
            Expr<Cell> rate = laplacian(U)
                    .times(diffusivity)
                    .minus(dx(U).times(speed))
                    .minus(dy(U).times(other))
                    .minus(windward.times(upwind))
                    .minus(U.times(decay));
            double least = Double.POSITIVE_INFINITY;
            for (int p = 0; p < 7; p++) {
                double x = 2 * Math.PI * p / 7;
                for (int q = 0; q < 8; q++) {
                    double y = 2 * Math.PI * q / 8;
                    double re = -decay - 2 * diffusivity * (2 - Math.cos(x) - Math.cos(y)) - upwind * (1 - Math.cos(x));
                    double im = -(speed + upwind) * Math.sin(x) - other * Math.sin(y);
                    least = Math.min(least, longest(re, im));
                }
            }
            double found = step(Grid.of(7, 8).ghosts(1), rate);
            String what = "drawn " + i + ": " + found + " for " + least;
            assertTrue(found <= least * (1 + 1e-9), what);
            assertTrue(found > 0.9 * least, what);
        }
    }
}
