package dev.jacquard.expressions.time;

import static dev.jacquard.expressions.language.Functions.number;
import static dev.jacquard.expressions.language.Functions.x;
import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.dx;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.laplacian;
import static dev.jacquard.expressions.language.Operators.vector;
import static dev.jacquard.expressions.tree.Boundaries.Condition.neumann;
import static dev.jacquard.expressions.tree.Boundaries.Condition.periodic;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.FaceY;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Functions;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.Boundaries.Condition;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Model;
import dev.jacquard.memory.data.DataType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The longest stable step of fields that advance together, against what theory says. */
class CoupledStepTest {
    private static final Tag<Cell> U = Tag.cell("u");
    private static final Tag<Cell> V = Tag.cell("v");
    private static final Tag<Cell> K = Tag.cell("k");
    private static final Tag<Cell> U_RATE = Tag.cell("du/dt");
    private static final Tag<Cell> V_RATE = Tag.cell("dv/dt");

    /** The end of the stability region of the third order on the negative real axis. */
    private static final double REAL = 2.5127453266183286;

    /** Fields that act on each other: an oscillator swings, which Euler's method lets grow. */
    @Test
    void fieldsTogether() {
        Grid grid = Grid.of(4);
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(U, (x, y, z) -> 0);
            fields.set(V, (x, y, z) -> 1);
            Model model =
                    Model.of(grid).source(U, V).define(U_RATE, V.times(10)).define(V_RATE, U.times(-10));
            Ssp ssp = Ssp.order(3).advance(U, U_RATE).advance(V, V_RATE);
            double found = ssp.of(model.tree(U_RATE, V_RATE)).compile(fields).stableStep();
            assertEquals(Math.sqrt(3) / 10, found, 1e-3);
            Ssp euler = Ssp.order(1).advance(U, U_RATE).advance(V, V_RATE);
            Integrator swinging = euler.of(model.tree(U_RATE, V_RATE)).compile(fields);
            assertThrows(ArithmeticException.class, swinging::stableStep);
        }
    }

    /** Two fields that have nothing to do with each other: the one that swings is the second. */
    @Test
    void theFieldThatSwingsIsNamed() {
        Grid grid = Grid.of(8).lengths(8).ghosts(1);
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(U, (x, y, z) -> x);
            fields.set(V, (x, y, z) -> x);
            Integrator steps = Ssp.order(2)
                    .advance(U, U_RATE)
                    .advance(V, V_RATE)
                    .of(Model.of(grid)
                            .source(U, V)
                            .define(U_RATE, laplacian(U).times(0.125))
                            .define(V_RATE, dx(V))
                            .tree(U_RATE, V_RATE))
                    .boundary(U, Side.X_LOW, periodic())
                    .boundary(V, Side.X_LOW, periodic())
                    .compile(fields);
            assertMentions(
                    assertThrows(ArithmeticException.class, steps::stableStep), "\"dv/dt\" lets waves of \"v\" swing");
        }
    }

    /** Toward a point and away from it: in each direction waves of a cell alone would grow. */
    @ParameterizedTest
    @EnumSource(
            value = DataType.class,
            names = {"FLOAT64", "FLOAT32"})
    void flowsThatVary(DataType type) {
        Grid grid = Grid.of(8, 6).lengths(8, 6).origin(-4, -3).ghosts(1).type(type);
        Expr<Faces> speed = vector(x(), Functions.<FaceY>y().negate(), number(0));
        Expr<Cell> rate = div(speed.times(faces(U))).negate();
        double found = step(3, Map.of(U, rate), grid, neumann(0));
        double atMost = Math.sqrt(3) / (3 + 2); // by the speeds between cells, which the waves of 4 cells would need
        assertTrue(found > atMost && found < 0.82, () -> "step " + found); // few cells flow fast: 0.8165
    }

    private static double step(int order, Map<Tag<Cell>, Expr<Cell>> rates, Grid grid) {
        return step(order, rates, grid, periodic());
    }

    private static double step(int order, Map<Tag<Cell>, Expr<Cell>> rates, Grid grid, Condition condition) {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            Model model = Model.of(grid);
            List<Tag<Cell>> all = new ArrayList<>();
            rates.keySet().forEach(tag -> {
                fields.set(tag, (x, y, z) -> 1);
                model.source(tag);
            });
            rates.forEach((tag, rate) -> {
                Tag<Cell> its = Tag.cell("d" + tag);
                model.define(its, rate);
                all.add(its);
            });
            Ssp ssp = Ssp.order(order);
            for (Tag<Cell> tag : rates.keySet()) {
                ssp = ssp.advance(tag, Tag.cell("d" + tag));
                for (Side side : Side.values()) {
                    ssp = side.axis() < grid.dimensions() ? ssp.boundary(tag, side, condition) : ssp;
                }
            }
            return ssp.of(model.tree(all)).compile(fields).stableStep();
        }
    }

    /** Sound: pressure and velocity swing at the rate of convection with speed 3. */
    @Test
    void sound() {
        Grid grid = Grid.of(16).lengths(1).ghosts(1);
        Map<Tag<Cell>, Expr<Cell>> rates = new LinkedHashMap<>();
        rates.put(U, dx(V).times(-9));
        rates.put(V, dx(U).negate());
        assertEquals(Math.sqrt(3) / (3 * 16), step(3, rates, grid), 1e-5);
        assertThrows(ArithmeticException.class, () -> step(1, rates, grid));
        rates.put(K, K.negate()); // alone: of three fields only bounds are known
        assertEquals(Math.sqrt(3) / (3 * 16), step(3, rates, grid), 1e-5);
    }

    /** A chain of decays is as stable as its links; to and fro is as fast as both. */
    @Test
    void chainsOfReactions() {
        Grid grid = Grid.of(4).ghosts(1);
        Map<Tag<Cell>, Expr<Cell>> chain = new LinkedHashMap<>();
        chain.put(U, U.times(-2));
        chain.put(V, U.times(2).minus(V.times(5)));
        chain.put(K, V.times(5).minus(K));
        assertEquals(2.0 / 5, step(1, chain, grid), 1e-6);
        Map<Tag<Cell>, Expr<Cell>> both = new LinkedHashMap<>();
        both.put(U, V.times(4).minus(U.times(3)));
        both.put(V, U.times(3).minus(V.times(4)));
        assertEquals(2.0 / 7, step(1, both, grid), 1e-6);
    }

    /** A field that only drives another one swings with nothing. */
    @Test
    void fieldsThatDriveInOneDirection() {
        Grid grid = Grid.of(4).ghosts(1);
        Map<Tag<Cell>, Expr<Cell>> rates = new LinkedHashMap<>();
        rates.put(U, U.times(0));
        rates.put(V, laplacian(U).times(3));
        assertEquals(Double.POSITIVE_INFINITY, step(1, rates, grid));
        assertEquals(Double.POSITIVE_INFINITY, step(3, rates, grid.type(DataType.FLOAT32)));
    }

    /** Two fields that make each other grow are a solution that grows. */
    @Test
    void fieldsThatGrowTogether() {
        Grid grid = Grid.of(8).lengths(8).ghosts(1);
        Map<Tag<Cell>, Expr<Cell>> rates = new LinkedHashMap<>();
        rates.put(U, V.plus(laplacian(U)));
        rates.put(V, U.plus(laplacian(V)));
        double found = step(1, rates, grid);
        assertEquals(2.0 / 5, found, 1e-6); // the shortest waves decay at the rate of -4 - 1
    }

    /** Two fields that make each other's short waves grow, and sound that only decays. */
    @Test
    void wavesOfTwoFields() {
        Grid grid = Grid.of(24).lengths(24).ghosts(1);
        Map<Tag<Cell>, Expr<Cell>> crossed = new LinkedHashMap<>();
        crossed.put(U, laplacian(U).plus(laplacian(V).times(3)));
        crossed.put(V, laplacian(V).plus(laplacian(U).times(3)));
        assertMentions(assertThrows(ArithmeticException.class, () -> step(3, crossed, grid)), "lets short waves of");
        crossed.put(U, laplacian(U).plus(laplacian(V).times(0.5)));
        crossed.put(V, laplacian(V).plus(laplacian(U).times(0.5)));
        assertEquals(REAL / 6, step(3, crossed, grid), 1e-9);
        Map<Tag<Cell>, Expr<Cell>> sound = new LinkedHashMap<>();
        sound.put(U, dx(V).plus(laplacian(U).times(0.1)));
        sound.put(V, dx(U).plus(laplacian(V).times(0.1)));
        double found = step(1, sound, grid);
        assertTrue(found > 0.9 * 0.2 && found <= 0.2034, () -> "step " + found); // 2 · 0.1 / 1² for the longest waves
    }
}
