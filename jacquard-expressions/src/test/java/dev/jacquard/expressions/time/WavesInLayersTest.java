package dev.jacquard.expressions.time;

import static dev.jacquard.expressions.language.Functions.parameter;
import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.grad;
import static dev.jacquard.expressions.language.Operators.laplacian;
import static dev.jacquard.expressions.tree.Boundaries.Condition.dirichlet;
import static dev.jacquard.expressions.tree.Boundaries.Condition.neumann;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Model;
import dev.jacquard.memory.data.DataType;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The longest stable step of fields whose values a search sees in sketches alone, and of rates that are special. */
class WavesInLayersTest {
    private static final Tag<Cell> U = Tag.cell("u");
    private static final Tag<Cell> V = Tag.cell("v");
    private static final Tag<Cell> K = Tag.cell("k");
    private static final Tag<Cell> U_RATE = Tag.cell("du/dt");
    private static final Tag<Cell> V_RATE = Tag.cell("dv/dt");

    /** Waves whose speed is 1 on one side and 2 on the other. */
    private static double waves(int workers, int order, Grid grid, ToDoubleFunction<Integrator> step) {
        try (Session session = Session.builder().workers(workers).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(U, (x, y, z) -> Math.sin(x));
            fields.set(V, (x, y, z) -> 0);
            fields.set(K, (x, y, z) -> x < grid.length(0) / 2 ? 1 : 4);
            Ssp.Of steps = Ssp.order(order)
                    .advance(U, U_RATE)
                    .advance(V, V_RATE)
                    .of(Model.of(grid)
                            .source(U, V, K)
                            .define(U_RATE, V.times(1))
                            .define(V_RATE, div(faces(K).times(grad(U))))
                            .tree(U_RATE, V_RATE));
            for (Side side : Side.values()) {
                steps = side.axis() < grid.dimensions() ? steps.boundary(U, side, dirichlet(0)) : steps;
            }
            return step.applyAsDouble(steps.compile(fields));
        }
    }

    @ParameterizedTest
    @CsvSource({"FLOAT64, 4000", "FLOAT32, 4000", "FLOAT64, 20"})
    void theFasterSideDecides(DataType type, int cells) {
        Grid grid = Grid.of(cells).lengths(cells).ghosts(1).type(type);
        double longest = Math.sqrt(3) / 4;
        double found = waves(2, 3, grid, Integrator::stableStep);
        assertTrue(found <= longest * (cells < 100 ? 1.02 : 1) && found > 0.9 * longest, () -> "step " + found);
        assertThrows(ArithmeticException.class, () -> waves(2, 1, grid, Integrator::stableStep));
        assertThrows(ArithmeticException.class, () -> waves(2, 2, grid, Integrator::stableStep));
    }

    /** In a plane, too, where pieces of many rows are shared. */
    @Test
    void theNumberOfWorkersChangesNothing() {
        Grid grid = Grid.of(60, 70).lengths(60, 70).ghosts(1);
        double found = waves(1, 3, grid, Integrator::stableStep);
        assertTrue(found < Math.sqrt(3) / (4 * Math.sqrt(2)) && found > 0.9 * Math.sqrt(3) / (4 * Math.sqrt(2)));
        for (int workers = 2; workers <= 4; workers++) {
            assertEquals(found, waves(workers, 3, grid, Integrator::stableStep));
        }
    }

    /** Waves stay as they are with the step that is found, over many steps. */
    @Test
    void wavesDoNotGrow() {
        Grid grid = Grid.of(50).lengths(50).ghosts(1);
        waves(1, 3, grid, steps -> {
            steps.run(5_000, 0.99 * steps.stableStep());
            return steps.time();
        });
    }

    /** Without values rates of the second degree have no derivative but 0: each step is stable. */
    @Test
    void fieldsOfZeros() {
        Grid grid = Grid.of(8).lengths(8).ghosts(1);
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(U, (x, y, z) -> 0);
            Integrator steps = Ssp.order(1)
                    .advance(U, U_RATE)
                    .of(Model.of(grid)
                            .source(U)
                            .define(U_RATE, laplacian(U.times(U)).times(parameter("t")))
                            .tree(U_RATE))
                    .boundary(U, Side.X_LOW, neumann(0))
                    .boundary(U, Side.X_HIGH, neumann(0))
                    .compile(fields);
            assertEquals(Double.POSITIVE_INFINITY, steps.stableStep());
            fields.set(U, (x, y, z) -> 1);
            assertEquals(Double.POSITIVE_INFINITY, steps.stableStep(), "at t = 0");
            steps.resume(2, 0);
            double found = steps.stableStep();
            assertTrue(found >= 1.0 / 8 - 1e-9 && found < 0.13, () -> "step " + found);
            assertEquals(1.0 / 8, steps.stableStep(0.1, () -> {}), 1e-9, "proven");
        }
    }
}
