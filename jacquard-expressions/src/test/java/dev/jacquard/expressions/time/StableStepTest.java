package dev.jacquard.expressions.time;

import static dev.jacquard.expressions.language.Functions.max;
import static dev.jacquard.expressions.language.Functions.number;
import static dev.jacquard.expressions.language.Functions.sqrt;
import static dev.jacquard.expressions.language.Functions.x;
import static dev.jacquard.expressions.language.Operators.cells;
import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.dx;
import static dev.jacquard.expressions.language.Operators.dy;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.grad;
import static dev.jacquard.expressions.language.Operators.laplacian;
import static dev.jacquard.expressions.language.Operators.stencil;
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
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Stencil;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Model;
import dev.jacquard.memory.data.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The longest stable step, against what theory says. */
class StableStepTest {
    private static final Tag<Cell> U = Tag.cell("u");
    private static final Tag<Cell> K = Tag.cell("k");
    private static final Tag<Cell> U_RATE = Tag.cell("du/dt");

    /** The ends of the stability regions on the negative real axis. */
    private static final double[] REAL = {0, 2, 2, 2.5127453266183286};

    private static double step(int order, Grid grid, Expr<Cell> rate, FieldStore.PointFunction k) {
        return step(2, order, grid, rate, k);
    }

    private static double step(int workers, int order, Grid grid, Expr<Cell> rate, FieldStore.PointFunction k) {
        try (Session session = Session.builder().workers(workers).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(U, (x, y, z) -> 2);
            fields.set(K, k);
            Ssp.Of ssp = Ssp.order(order)
                    .advance(U, U_RATE)
                    .of(Model.of(grid).source(U, K).define(U_RATE, rate).tree(U_RATE));
            for (int axis = 0; axis < grid.dimensions(); axis++) {
                ssp = ssp.boundary(
                        U, List.of(Side.X_LOW, Side.Y_LOW, Side.Z_LOW).get(axis), periodic());
            }
            return ssp.compile(fields).stableStep();
        }
    }

    /** A tree that computes a coefficient inside its loops leaves older values in the coefficient's field. */
    @Test
    void aCoefficientWithOldValuesIsRefused() {
        Grid grid = Grid.of(8).ghosts(1);
        Tag<Cell> speed = Tag.cell("speed");
        Model model = Model.of(grid).source(U, K).define(speed, K.times(2)).define(U_RATE, speed.times(U));
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(U, (x, y, z) -> 1);
            fields.set(K, (x, y, z) -> -1);
            model.tree(U_RATE).keep(speed).compile(fields).run();
            Integrator steps = Ssp.order(1)
                    .advance(U, U_RATE)
                    .of(Model.of(grid)
                            .source(U, speed)
                            .define(U_RATE, speed.times(U))
                            .tree(U_RATE))
                    .compile(fields);
            assertEquals(1, steps.stableStep(), 0.01);
            fields.set(K, (x, y, z) -> -10);
            model.tree(U_RATE).compile(fields).run();
            assertMentions(
                    assertThrows(IllegalStateException.class, steps::stableStep), "\"speed\"", "gives it a field");
        }
    }

    /** A search on a large grid takes seconds; what it found before it was ended is of no use. */
    @Test
    void aCheckThatThrowsEndsTheSearch() {
        Grid grid = Grid.of(16, 16).ghosts(1);
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(U, (x, y, z) -> x);
            Ssp.Of ssp = Ssp.order(1)
                    .advance(U, U_RATE)
                    .of(Model.of(grid).source(U).define(U_RATE, laplacian(U)).tree(U_RATE))
                    .boundary(U, Side.X_LOW, periodic())
                    .boundary(U, Side.Y_LOW, periodic());
            Integrator steps = ssp.compile(fields);
            assertMentions(
                    assertThrows(
                            CancellationException.class,
                            () -> steps.stableStep(Double.POSITIVE_INFINITY, () -> {
                                throw new CancellationException("stopped");
                            })),
                    "stopped");
            assertEquals(0.25, steps.stableStep(), 1e-9);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void diffusion(int order) {
        Grid grid = Grid.of(9, 6, 5).lengths(0.9, 1.2, 2.5).ghosts(1);
        double sum = 1 / 0.01 + 1 / 0.04 + 1 / 0.25;
        assertEquals(
                REAL[order] / (4 * 0.3 * sum), step(order, grid, laplacian(U).times(0.3), (x, y, z) -> 0), 1e-6);
        Grid single = grid.type(DataType.FLOAT32);
        assertEquals(
                REAL[order] / (4 * 0.3 * sum), step(order, single, laplacian(U).times(0.3), (x, y, z) -> 0), 1e-6);
    }

    /** The cell where the conductivity is greatest counts. */
    @Test
    void diffusionThatVaries() {
        Grid grid = Grid.of(32).lengths(1).ghosts(1);
        Expr<Cell> rate = div(faces(K).times(grad(U)));
        double found = step(1, grid, rate, (x, y, z) -> 1 + Math.sin(2 * Math.PI * x));
        double most = 1 + Math.sin(2 * Math.PI * 0.25);
        assertEquals(2 / (4 * most * 32 * 32), found, 0.01 * found);
    }

    /** Diffusion limits the step on fine grids, waves that flow and hardly decay do on coarse ones. */
    @ParameterizedTest
    @ValueSource(ints = {4, 64})
    void convectionAndDiffusion(int cells) {
        Grid grid = Grid.of(cells).lengths(1).ghosts(1);
        double kappa = 0.02;
        double speed = 0.7;
        double h = 1.0 / cells;
        Expr<Cell> rate = laplacian(U).times(kappa).minus(dx(U).times(speed));
        double euler = Double.POSITIVE_INFINITY;
        for (int wave = 1; wave <= cells / 2; wave++) {
            double phase = 2 * Math.PI * wave / cells;
            double re = -2 * kappa / (h * h) * (1 - Math.cos(phase));
            double im = speed / h * Math.sin(phase);
            euler = Math.min(euler, -2 * re / (re * re + im * im));
        }
        double found = step(1, grid, rate, (x, y, z) -> 0);
        assertTrue(found <= euler * (1 + 1e-9) && found > 0.9 * euler, found + " for " + euler);
        assertTrue(step(3, grid, rate, (x, y, z) -> 0) > euler);
    }

    @Test
    void convectionInThreeDirections() {
        Grid grid = Grid.of(8, 8, 8).lengths(1, 1, 1).ghosts(1);
        Expr<Faces> flux = faces(U).times(faces(K));
        double found = step(3, grid, div(flux).times(-1.0), (x, y, z) -> 0.5);
        assertEquals(Math.sqrt(3) / (3 * 0.5 * 8), found, 1e-3 * found);
        assertThrows(ArithmeticException.class, () -> step(2, grid, div(flux).times(-1.0), (x, y, z) -> 0.5));
        assertMentions(
                assertThrows(
                        ArithmeticException.class, () -> step(1, grid, div(flux).times(-1.0), (x, y, z) -> 0.5)),
                "no step of this method is stable",
                "\"du/dt\" lets waves of \"u\" swing without decay in cell [0, 0, 0]",
                "Ssp.order(3)");
    }

    @Test
    void reactions() {
        Grid grid = Grid.of(8).ghosts(1);
        assertEquals(2.0 / 12, step(1, grid, U.pow(3).negate(), (x, y, z) -> 0), 1e-6); // u = 2
        assertEquals(Double.POSITIVE_INFINITY, step(1, grid, U.times(3), (x, y, z) -> 0)); // grows, as it must
        assertEquals(Double.POSITIVE_INFINITY, step(1, grid, K.times(3), (x, y, z) -> 0));
    }

    @Test
    void negativeDiffusivityIsFound() {
        Grid grid = Grid.of(8).ghosts(1);
        assertMentions(
                assertThrows(
                        ArithmeticException.class,
                        () -> step(3, grid, div(faces(K).times(grad(U))), (x, y, z) -> x > 5 ? -1 : 1)),
                "no step is stable",
                "short waves of \"u\" grow in cell [5, 0, 0]",
                "negative diffusivity");
    }

    @Test
    void fieldsOnFacesHaveAStep() {
        Grid grid = Grid.of(4, 4).ghosts(1);
        Tag<Faces> q = Tag.faces("q");
        Tag<Faces> rate = Tag.faces("dq/dt");
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(q, (x, y, z) -> 1);
            Model model = Model.of(grid)
                    .source(q)
                    .define(rate, faces(cells(q)).times(0).plus(q.negate()));
            Model own = Model.of(grid).source(q).define(rate, q.times(q).times(-2));
            Integrator integrator =
                    Ssp.order(2).advance(q, rate).of(own.tree(rate)).compile(fields);
            assertEquals(2.0 / 4, integrator.stableStep(), 1e-6);
            assertMentions(
                    assertThrows(
                            IllegalStateException.class,
                            () -> Ssp.order(2)
                                    .advance(q, rate)
                                    .of(model.tree(rate))
                                    .compile(fields)),
                    "of \"q\" beyond the boundary");
        }
    }

    @Test
    void derivativesThatAreNotFiniteAreNamed() {
        Grid grid = Grid.of(8).lengths(8).ghosts(1);
        assertMentions(
                assertThrows(
                        ArithmeticException.class,
                        () -> step(3, grid, laplacian(U).dividedBy(K), (x, y, z) -> x > 3 ? 0 : 1)),
                "no step is stable: \"du/dt\" has no finite derivative in cell [3, 0, 0]");
    }

    @Test
    void theFirstCellWithShortWavesThatGrowIsNamed() {
        Grid grid = Grid.of(6).lengths(6).ghosts(1);
        double[] k = {5, -1, -1, -3, 5, 5};
        assertMentions(
                assertThrows(
                        ArithmeticException.class,
                        () -> step(1, grid, K.times(laplacian(U)), (x, y, z) -> k[Math.clamp((long) x, 0, 5)])),
                "short waves of \"u\" grow in cell [1, 0, 0]");
    }

    /** Large enough for several threads, of which each finds cells of its own. */
    @Test
    void theNumberOfWorkersChangesNothing() {
        Grid grid = Grid.of(96, 96, 6).lengths(96, 96, 6).ghosts(1);
        Expr<Cell> rate = div(faces(K).times(grad(U)));
        double[] found = new double[4];
        for (int workers = 1; workers <= 4; workers++) {
            found[workers - 1] = step(workers, 1, grid, rate, (x, y, z) -> 2 + Math.sin(x * y + 7 * z));
            int its = workers;
            for (double first : new double[] {2, 5}) {
                assertMentions(
                        assertThrows(
                                ArithmeticException.class,
                                () -> step(its, 1, grid, rate, (x, y, z) -> z > first && y > 50 && x > 20 ? -3 : 2)),
                        "in cell [20, 50, " + (int) first + "]");
            }
        }
        for (double other : found) {
            assertEquals(found[0], other);
        }
        assertTrue(found[0] > 0 && found[0] < 0.1, () -> "step " + found[0]);
    }

    /** Upwind in two directions: the cell with the fastest flow decides, wherever it is. */
    @Test
    void theOrderOfCellsChangesNothing() {
        Grid grid = Grid.of(200, 200).lengths(200, 200).ghosts(1);
        Stencil alongX = Stencil.builder().at(-1, 0, 0, 1).at(0, 0, 0, -1).build();
        Stencil alongY = Stencil.builder().at(0, -1, 0, 0.01).at(0, 0, 0, -0.01).build();
        Expr<Cell> rate = K.times(stencil(U, alongX)).plus(stencil(U, alongY));
        double[] found = new double[4];
        for (int i = 0; i < found.length; i++) {
            double slope = i % 2 == 0 ? 1e-5 : -1e-5;
            found[i] = step(1 + i / 2, 1, grid, rate, (x, y, z) -> 1.001 + slope * (y - 100));
        }
        for (double other : found) {
            assertEquals(found[0], other, 1e-15);
        }
    }

    private static Expr<Cell> along(double... offsetsAndWeights) {
        Stencil.Builder builder = Stencil.builder();
        for (int i = 0; i < offsetsAndWeights.length; i += 2) {
            builder.at((int) offsetsAndWeights[i], 0, 0, offsetsAndWeights[i + 1]);
        }
        return stencil(U, builder.build());
    }

    /** The waves that grow first are others than those of a rate that reaches one cell. */
    @Test
    void ratesThatReachFar() {
        Grid grid = Grid.of(24).lengths(24).ghosts(4);
        Expr<Cell> wide = along(-4, 1, 0, -2, 4, 1);
        assertEquals(0.5, step(1, grid, wide, (x, y, z) -> 0), 1e-9);
        assertEquals(REAL[3] / 4, step(3, grid, wide, (x, y, z) -> 0), 1e-9);
        Expr<Cell> upwind = along(1, -2 / 6.0, 0, -3 / 6.0, -1, 1, -2, -1 / 6.0);
        double longest = 0.873632; // by the eigenvalues of 64 periodic cells
        assertEquals(longest, step(2, grid, upwind, (x, y, z) -> 0), 0.01 * longest);
    }

    @Test
    void derivativesAcrossAxesMayMakeWavesGrow() {
        Grid grid = Grid.of(16, 16).lengths(16, 16).ghosts(2);
        assertTrue(step(3, grid, laplacian(U).plus(dx(dy(U)).times(1.9)), (x, y, z) -> 0) > 0.9 * REAL[3] / 8);
        assertMentions(
                assertThrows(
                        ArithmeticException.class,
                        () -> step(3, grid, laplacian(U).plus(dx(dy(U)).times(4)), (x, y, z) -> 0)),
                "lets short waves of \"u\" grow");
    }

    /** A mean of neighbours is stable, whatever the directions; few of them leave long waves without decay. */
    @Test
    void meansOfNeighboursAreStable() {
        Grid grid = Grid.of(6, 6, 6).lengths(6, 6, 6).ghosts(1);
        Stencil mean = Stencil.builder()
                .at(-1, 0, -1, 0.9)
                .at(0, 1, -1, 0.29)
                .at(0, 0, 0, -1.19)
                .build();
        assertEquals(1 / 1.19, step(1, grid, stencil(U, mean), (x, y, z) -> 0), 1e-9);
    }

    /** Where it is cut off, a root is flat. */
    @Test
    void whatIsFlatHasADerivative() {
        Grid grid = Grid.of(8).lengths(8).ghosts(1);
        double diffusion = REAL[3] / 4;
        Expr<Cell> cut = laplacian(U).minus(sqrt(max(U.minus(3), number(0)))); // u = 2
        assertEquals(diffusion, step(3, grid, cut, (x, y, z) -> 0), 1e-9);
        Expr<Cell> one = laplacian(U).plus(U.minus(2).pow(0));
        assertEquals(diffusion, step(3, grid, one, (x, y, z) -> 0), 1e-9);
    }

    /** A user's field may have any name. */
    @Test
    void aFieldMayBeCalledDirection() {
        Grid grid = Grid.of(8).lengths(8).ghosts(1);
        Tag<Cell> direction = Tag.cell("direction");
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(U, (x, y, z) -> 1);
            fields.set(direction, (x, y, z) -> 3);
            Integrator steps = Ssp.order(1)
                    .advance(U, U_RATE)
                    .of(Model.of(grid)
                            .source(U, direction)
                            .define(U_RATE, direction.times(laplacian(U)))
                            .tree(U_RATE))
                    .boundary(U, Side.X_LOW, periodic())
                    .compile(fields);
            assertEquals(1.0 / 6, steps.stableStep(), 1e-9);
            fields.set(direction, (x, y, z) -> 6);
            assertEquals(1.0 / 12, steps.stableStep(), 1e-9, "asked again, with the values of then");
        }
    }

    /** Behind its last element is no room for whole vectors. */
    @ParameterizedTest
    @ValueSource(ints = {1, 6, 8, 9, 63})
    void fieldsInMemoryOfTheUsersHaveTheSame(int cells) {
        Grid grid = Grid.of(cells).ghosts(1);
        double[] found = new double[2];
        for (int i = 0; i < 2; i++) {
            try (Session session = Session.builder().workers(1).open();
                    FieldStore fields = FieldStore.open(session, grid)) {
                if (i == 1) {
                    fields.external(U, MemorySegment.ofArray(new double[cells + 2]));
                }
                fields.set(U, (x, y, z) -> 1 + x);
                found[i] = Ssp.order(1)
                        .advance(U, U_RATE)
                        .of(Model.of(grid)
                                .source(U)
                                .define(U_RATE, laplacian(U.times(U)))
                                .tree(U_RATE))
                        .boundary(U, Side.X_LOW, neumann(0))
                        .boundary(U, Side.X_HIGH, neumann(0))
                        .compile(fields)
                        .stableStep();
            }
        }
        assertEquals(found[0], found[1]);
    }
}
