package dev.jacquard.expressions.time;

import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.dx;
import static dev.jacquard.expressions.language.Operators.dy;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.laplacian;
import static dev.jacquard.expressions.tree.Boundaries.Condition.periodic;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.FieldStore.PointFunction;
import dev.jacquard.expressions.tree.Model;
import dev.jacquard.memory.data.DataType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Waves that seem to grow by the derivatives of a cell, those that may, and those that must not. */
class GrowingWavesTest {
    private static final Tag<Cell> U = Tag.cell("u");
    private static final Tag<Cell> V = Tag.cell("v");
    private static final Tag<Cell> K = Tag.cell("k");

    /** The ends of the stability region of the third order on the negative real axis, and on the imaginary one. */
    private static final double REAL = 2.5127453266183286;

    private static final double IMAGINARY = Math.sqrt(3);

    private static double step(int order, Grid grid, Map<Tag<Cell>, Expr<Cell>> rates, PointFunction... values) {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(U, values[0]);
            fields.set(V, values[1]);
            fields.set(K, values[2]);
            Model model = Model.of(grid).source(U, V, K);
            Ssp ssp = Ssp.order(order);
            for (Map.Entry<Tag<Cell>, Expr<Cell>> one : rates.entrySet()) {
                Tag<Cell> its = Tag.cell("d" + one.getKey());
                model.define(its, one.getValue());
                ssp = ssp.advance(one.getKey(), its);
            }
            Ssp.Of steps = ssp.of(model.tree(
                    rates.keySet().stream().map(tag -> Tag.cell("d" + tag)).toList()));
            for (Tag<Cell> tag : rates.keySet()) {
                steps = steps.boundary(tag, Side.X_LOW, periodic());
                steps = grid.dimensions() > 1 ? steps.boundary(tag, Side.Y_LOW, periodic()) : steps;
            }
            return steps.compile(fields).stableStep();
        }
    }

    private static double step(int order, Grid grid, Expr<Cell> rate, PointFunction u, PointFunction k) {
        return step(order, grid, Map.of(U, rate), u, (x, y, z) -> 0, k);
    }

    /**
     * The step that is found is at most a tenth shorter than the longest; a field that varies lets it differ a little.
     */
    private static void assertStep(double longest, double found) {
        assertTrue(found <= 1.02 * longest && found > 0.9 * longest, found + " for " + longest);
    }

    private static double wave(double x) {
        return Math.sin(2 * Math.PI * x);
    }

    /** Where the flow spreads waves grow by a cell's row, and by half of that and its column's. */
    @ParameterizedTest
    @EnumSource(
            value = DataType.class,
            names = {"FLOAT64", "FLOAT32"})
    void conservativeConvection(DataType type) {
        Grid grid = Grid.of(100).lengths(1).ghosts(2).type(type);
        Expr<Cell> rate = dx(K.times(U)).negate();
        double longest = IMAGINARY / (1.5 * 100);
        assertStep(longest, step(3, grid, rate, (x, y, z) -> 1, (x, y, z) -> 1 + 0.5 * wave(x)));
        assertMentions(
                assertThrows(
                        ArithmeticException.class,
                        () -> step(1, grid, rate, (x, y, z) -> 1, (x, y, z) -> 1 + 0.5 * wave(x))),
                "no step of this method is stable");
        double growing = step(3, grid, rate.plus(U.times(0.5)), (x, y, z) -> 1, (x, y, z) -> 1 + 0.5 * wave(x));
        assertStep(longest, growing);
    }

    /** Rates that are not linear: Burgers' equation, and traffic; both have points where nothing flows. */
    @Test
    void conservationLaws() {
        Grid grid = Grid.of(200).lengths(1).ghosts(2);
        double longest = IMAGINARY / 200;
        Expr<Cell> burgers = div(faces(U.times(U)).times(0.5)).negate();
        assertEquals(longest, step(3, grid, burgers, (x, y, z) -> wave(x), (x, y, z) -> 0), 0.01 * longest);
        Expr<Cell> viscous = burgers.plus(laplacian(U).times(1e-4));
        assertTrue(step(3, grid, viscous, (x, y, z) -> wave(x), (x, y, z) -> 0) > 0.9 * longest);
        Expr<Cell> traffic = dx(U.times(U.times(-1).plus(1))).negate();
        assertEquals(
                longest / 0.4,
                step(3, grid, traffic, (x, y, z) -> 0.5 + 0.2 * wave(x), (x, y, z) -> 0),
                0.01 * longest / 0.4);
    }

    @Test
    void shallowWater() {
        Grid grid = Grid.of(100).lengths(1).ghosts(2);
        Map<Tag<Cell>, Expr<Cell>> rates = new LinkedHashMap<>();
        rates.put(U, dx(U.times(V)).negate());
        rates.put(V, V.times(dx(V)).negate().minus(dx(U).times(9.81)));
        double found = step(
                3,
                grid,
                rates,
                (x, y, z) -> 1 + 0.1 * Math.exp(-100 * (x - 0.5) * (x - 0.5)),
                (x, y, z) -> 0.1 * wave(x),
                (x, y, z) -> 0);
        double longest = IMAGINARY / (100 * Math.sqrt(9.81 * 1.1));
        assertEquals(longest, found, 0.04 * longest);
    }

    /** Between cells with a positive one, too, and where a flow spreads. */
    @Test
    void aNegativeDiffusivityIsFound() {
        Grid grid = Grid.of(12).lengths(12).ghosts(2);
        PointFunction one = (x, y, z) -> x > 5 && x < 6 ? -1 : 0.5;
        assertThrows(ArithmeticException.class, () -> step(3, grid, K.times(laplacian(U)), (x, y, z) -> 1, one));
        PointFunction none = (x, y, z) -> x > 5 && x < 6 ? -1 : 0;
        assertThrows(ArithmeticException.class, () -> step(3, grid, K.times(laplacian(U)), (x, y, z) -> 1, none));
        PointFunction some = (x, y, z) -> x > 4 && x < 7 ? -1 : -0.1;
        assertThrows(ArithmeticException.class, () -> step(3, grid, laplacian(K.times(U)), (x, y, z) -> 1, some));
        Expr<Cell> flowing = dx(K.times(U)).negate().minus(laplacian(U).times(0.01));
        assertMentions(
                assertThrows(
                        ArithmeticException.class,
                        () -> step(3, grid, flowing, (x, y, z) -> 1, (x, y, z) -> 1 + 0.5 * wave(x / 12))),
                "as a negative diffusivity does");
    }

    /** The fourth derivatives bound what grows; what grows on each grid is not bounded. */
    @ParameterizedTest
    @ValueSource(doubles = {0.5, 2})
    void phasesThatSeparate(double width) {
        Grid grid = Grid.of(16, 16).lengths(16, 16).ghosts(4);
        Expr<Cell> rate = laplacian(U.pow(3).minus(U).minus(laplacian(U).times(width)));
        double longest = REAL / (64 * width - 8 * 0.97);
        assertStep(longest, step(3, grid, rate, (x, y, z) -> 0.1, (x, y, z) -> 0));
        double euler = step(1, grid, rate, (x, y, z) -> 0.1 + 0.01 * wave(x / 16), (x, y, z) -> 0);
        assertStep(longest * 2 / REAL, euler);
        Expr<Cell> coarse = laplacian(U.pow(3).minus(U).minus(laplacian(U).times(0.1)));
        assertMentions(
                assertThrows(ArithmeticException.class, () -> step(3, grid, coarse, (x, y, z) -> 0.1, (x, y, z) -> 0)),
                "lets short waves of \"u\" grow");
        Expr<Cell> wide = dx(dx(U)).plus(dy(dy(U))).times(-1);
        assertMentions(
                assertThrows(ArithmeticException.class, () -> step(3, grid, wide, (x, y, z) -> 1, (x, y, z) -> 0)),
                "others faster than the shortest");
    }

    /** Gray and Scott's reaction on a coarse grid: short waves grow faster than the whole, slower than v alone. */
    @Test
    void reactionsThatMakePatterns() {
        Grid grid = Grid.of(32, 32).lengths(2.5, 2.5).ghosts(1);
        Map<Tag<Cell>, Expr<Cell>> rates = new LinkedHashMap<>();
        Expr<Cell> reaction = U.times(V.times(V));
        rates.put(
                U, laplacian(U).times(2e-5).minus(reaction).plus(U.times(-0.037).plus(0.037)));
        rates.put(V, laplacian(V).times(1e-5).plus(reaction).minus(V.times(0.097)));
        double found = step(1, grid, rates, (x, y, z) -> 0.5, (x, y, z) -> 0.25, (x, y, z) -> 0);
        assertTrue(found > 5, () -> "step " + found);
    }

    /**
     * Gray and Scott's pattern, when parts of it swing slowly and grow: the step that diffusion bears is the longest.
     * Steps just below keep a small disturbance as short steps do; with steps just above short waves grow.
     */
    @ParameterizedTest
    @ValueSource(ints = {48, 64})
    void aPatternThatSwingsSlowly(int cells) {
        Grid grid = Grid.of(cells, cells).lengths(cells, cells).ghosts(1);
        double half = cells / 2.0;
        PointFunction u = (x, y, z) -> Math.max(Math.abs(x - half), Math.abs(y - half)) < 5 ? 0.5 : 1;
        PointFunction v = (x, y, z) -> Math.max(Math.abs(x - half), Math.abs(y - half + 3)) < 5 ? 0.25 : 0;
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, grid);
                FieldStore disturbed = FieldStore.open(session, grid)) {
            fields.set(U, u);
            fields.set(V, v);
            Integrator steps = grayScott(fields);
            steps.run(800, 1);
            double stable = steps.stableStep();
            assertTrue(stable > 1.35 && stable < 1.48, () -> "step " + stable);
            assertTrue(steps.stableStep(1, () -> {}) >= 1);
            double[] us = fields.values(U);
            double[] vs = fields.values(V);
            double fine = growth(fields, disturbed, us, vs, 0.1);
            double found = growth(fields, disturbed, us, vs, stable);
            assertTrue(found < 1.5 * fine, () -> "a disturbance grows by " + found + ", in short steps by " + fine);
            assertTrue(growth(fields, disturbed, us, vs, stable / 0.9) > 10 * fine);
        }
    }

    private static Integrator grayScott(FieldStore fields) {
        Tag<Cell> uRate = Tag.cell("du");
        Tag<Cell> vRate = Tag.cell("dv");
        Expr<Cell> reaction = U.times(V).times(V);
        Model model = Model.of(fields.grid())
                .source(U, V)
                .define(
                        uRate,
                        laplacian(U)
                                .times(0.16)
                                .minus(reaction)
                                .plus(U.times(-0.025).plus(0.025)))
                .define(vRate, laplacian(V).times(0.08).plus(reaction).minus(V.times(0.08)));
        Ssp.Of steps = Ssp.order(1).advance(U, uRate).advance(V, vRate).of(model.tree(uRate, vRate));
        for (Tag<Cell> tag : List.of(U, V)) {
            steps = steps.boundary(tag, Side.X_LOW, periodic()).boundary(tag, Side.Y_LOW, periodic());
        }
        return steps.compile(fields);
    }

    /** Returns the factor by which a small disturbance of a state grows in a time of 400. */
    private static double growth(FieldStore fields, FieldStore disturbed, double[] us, double[] vs, double step) {
        SplittableRandom random = new SplittableRandom(1);
        double[] noise = random.doubles(us.length, -1e-9, 1e-9).toArray();
        set(fields, U, us, new double[us.length]);
        set(fields, V, vs, new double[us.length]);
        set(disturbed, U, us, noise);
        set(disturbed, V, vs, noise);
        for (FieldStore one : List.of(fields, disturbed)) {
            grayScott(one).run(Math.round(400 / step), step);
        }
        double before = 0;
        double after = 0;
        for (Tag<Cell> tag : List.of(U, V)) {
            double[] one = fields.values(tag);
            double[] other = disturbed.values(tag);
            for (int i = 0; i < one.length; i++) {
                before = Math.hypot(before, noise[i]);
                after = Math.hypot(after, other[i] - one[i]);
            }
        }
        return after / before;
    }

    private static void set(FieldStore fields, Tag<Cell> tag, double[] values, double[] more) {
        int width = fields.grid().cells(0);
        int height = fields.grid().cells(1);
        fields.set(tag, (x, y, z) -> {
            int column = Math.floorMod((int) Math.floor(x), width);
            int i = Math.floorMod((int) Math.floor(y), height) * width + column;
            return values[i] + more[i];
        });
    }
}
