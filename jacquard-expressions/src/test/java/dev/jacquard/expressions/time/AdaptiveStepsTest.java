package dev.jacquard.expressions.time;

import static dev.jacquard.expressions.language.Functions.abs;
import static dev.jacquard.expressions.language.Functions.cos;
import static dev.jacquard.expressions.language.Functions.number;
import static dev.jacquard.expressions.language.Functions.parameter;
import static dev.jacquard.expressions.language.Functions.where;
import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.grad;
import static dev.jacquard.expressions.language.Operators.laplacian;
import static dev.jacquard.expressions.tree.Boundaries.Condition.neumann;
import static dev.jacquard.expressions.tree.Boundaries.Condition.periodic;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Functions;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Model;
import dev.jacquard.memory.data.DataType;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps whose lengths follow from an estimate of their errors. */
class AdaptiveStepsTest {
    private static final Tag<Cell> U = Tag.cell("u");
    private static final Tag<Cell> U_RATE = Tag.cell("du/dt");
    private static final Tag<Faces> W = Tag.faces("w");
    private static final Tag<Faces> W_RATE = Tag.faces("dw/dt");

    /** Advances one unknown, which begins with the same value everywhere; returns its error at the end. */
    static double error(
            int order, double tolerance, double start, Expr<Cell> rate, double end, DoubleUnaryOperator solution) {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, Grid.of(4))) {
            fields.set(U, (x, y, z) -> start);
            Integrator integrator = Ssp.order(order)
                    .advance(U, U_RATE)
                    .of(Model.of(fields.grid()).source(U).define(U_RATE, rate).tree(U_RATE))
                    .tolerance(tolerance)
                    .compile(fields);
            integrator.runUntil(end);
            assertEquals(end, integrator.time());
            StepControl control = integrator.control();
            assertTrue(control.shortest() <= control.longest());
            assertTrue(control.estimate() <= tolerance || start == 0, () -> "estimate " + control.estimate());
            return Math.abs(fields.max(U) - solution.applyAsDouble(end));
        }
    }

    private static Expr<Cell> t() {
        return U.times(0).plus(parameter("t"));
    }

    @ParameterizedTest
    @CsvSource({"1, 1e-2", "2, 1e-3", "3, 1e-4"})
    void knownSolutionsAreMet(int order, double most) {
        double decay = error(order, 1e-4, 1, U.negate(), 1, t -> Math.exp(-t));
        assertTrue(decay < most, () -> "decay " + decay);
        double source = error(order, 1e-4, 0, cos(t()), 10, Math::sin);
        assertTrue(source < 3 * most, () -> "source " + source);
        Expr<Cell> logistic = U.times(U.negate().plus(1));
        double growth = error(order, 1e-4, 0.001, logistic, 20, t -> 1 / (1 + 999 * Math.exp(-t)));
        assertTrue(growth < 10 * most, () -> "growth " + growth);
    }

    /** The error of all steps together falls with the tolerance, as that of the method with the step. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aSmallerToleranceHasASmallerError(int order) {
        double coarse = error(order, 1e-4, 1, U.times(cos(t())), 3, t -> Math.exp(Math.sin(t)));
        double fine = error(order, 1e-6, 1, U.times(cos(t())), 3, t -> Math.exp(Math.sin(t)));
        double factor = Math.pow(100, order == 1 ? 0.5 : 1); // of the steps' lengths to their order
        assertTrue(fine < coarse / factor * 2.5, () -> coarse + " and " + fine);
    }

    /** A rate that vanishes at the start, where the unknown does: the error is as large as the unknown at first. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aStartAtZeroGoesOn(int order) {
        assertEquals(0, error(order, 1e-4, 0, t().times(t()).times(t()), 1, t -> t * t * t * t / 4), 2e-2);
        assertEquals(0, error(order, 1e-4, 0, U.times(1), 5, t -> 0));
    }

    /** An estimate that is not within errors of rounding is no reason for a shorter step. */
    @Test
    void noToleranceIsBelowTheErrorsOfRounding() {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, Grid.of(4).type(DataType.FLOAT32))) {
            fields.set(U, (x, y, z) -> 1 + x);
            Integrator integrator = Ssp.order(3)
                    .advance(U, U_RATE)
                    .of(Model.of(fields.grid())
                            .source(U)
                            .define(U_RATE, U.negate())
                            .tree(U_RATE))
                    .tolerance(1e-14)
                    .compile(fields);
            integrator.runUntil(1);
            assertEquals(4.5 * Math.exp(-1), fields.max(U), 1e-5);
            assertTrue(integrator.steps() < 200, () -> integrator.steps() + " steps");
        }
    }

    // ---- a grid

    private record Outcome(double[] values, long steps, double time, long rejections, double estimate) {
        static Outcome of(FieldStore fields, Integrator integrator, Tag<Cell> tag) {
            StepControl control = integrator.control();
            return new Outcome(
                    fields.values(tag),
                    integrator.steps(),
                    integrator.time(),
                    control.rejections(),
                    control.estimate());
        }

        void requireSame(Outcome other, String what) {
            assertArrayEquals(values, other.values, what);
            assertEquals(
                    List.of(steps, time, rejections, estimate),
                    List.of(other.steps, other.time, other.rejections, other.estimate),
                    what);
        }
    }

    /** Groundwater under rain, which begins dry: its diffusivity is its height. */
    private static Ssp.Of mound(int order, Grid grid) {
        Expr<Cell> rain = where(abs(Functions.<Cell>x().minus(5)).lessThan(1), number(0.1), number(0));
        Model model = Model.of(grid)
                .source(U)
                .define(U_RATE, div(faces(U).times(grad(U))).plus(rain));
        return Ssp.order(order)
                .advance(U, U_RATE)
                .of(model.tree(U_RATE))
                .boundary(U, Side.X_LOW, neumann(0))
                .boundary(U, Side.X_HIGH, neumann(0))
                .tolerance(1e-4);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void theStableStepIsAskedForAgain(int order) {
        Grid grid = Grid.of(50).lengths(10).ghosts(1);
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(U, (x, y, z) -> 0);
            Integrator integrator = mound(order, grid).compile(fields);
            integrator.runUntil(20);
            assertEquals(0.043, fields.min(U), 0.002);
            assertEquals(0.690, fields.max(U), 0.002);
            assertEquals(20 * 0.1 * 10 * 0.2, fields.sum(U) * 0.2, 1e-9); // all the rain
            assertTrue(
                    integrator.control().stableStep() < 5,
                    () -> "stable " + integrator.control().stableStep());
        }
    }

    /** Two fields, one at faces, that act on each other; with a front that begins where steps are long. */
    private static Integrator two(FieldStore fields, int order) {
        Expr<Cell> kick = where(t().lessThan(0.5), number(0), number(40));
        Model model = Model.of(fields.grid())
                .source(U, W)
                .define(U_RATE, div(W).times(-1).plus(kick.times(U)))
                .define(W_RATE, grad(U).times(-1).minus(W.times(0.1)));
        fields.set(U, (x, y, z) -> 1 + 0.3 * Math.sin(x) * Math.cos(0.5 * y));
        fields.set(W, (x, y, z) -> 0);
        Ssp.Of steps = Ssp.order(order).advance(U, U_RATE).advance(W, W_RATE).of(model.tree(U_RATE, W_RATE));
        for (Side side : List.of(Side.X_LOW, Side.X_HIGH, Side.Y_LOW, Side.Y_HIGH)) {
            steps = steps.boundary(U, side, neumann(0));
        }
        return steps.tolerance(1e-4).compile(fields);
    }

    private static final Grid SMALL = Grid.of(9, 7).lengths(9, 7).ghosts(1);
    /** Loops over it have parts for several workers. */
    private static final Grid LARGE = Grid.of(37, 900).lengths(37, 900).ghosts(1);

    private static Outcome two(Grid grid, int order, int workers, String... devices) {
        try (Session session =
                        Session.builder().workers(workers).devices(devices).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            Integrator integrator = two(fields, order);
            integrator.runUntil(0.7);
            return Outcome.of(fields, integrator, U);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void workersAndDevicesChangeNoByte(int order) {
        Outcome expected = two(LARGE, order, 1);
        assertTrue(expected.rejections > 0, "none was rejected");
        expected.requireSame(two(LARGE, order, 2), "2 workers");
        if (order == 3) {
            expected.requireSame(two(LARGE, order, 3), "3 workers");
        }
        two(SMALL, order, 1).requireSame(two(SMALL, order, 2, "emulated0"), "a device");
    }

    /** The fields and the state at any step are all that the steps after it need. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void stepsGoOnFromTheirState(int order) {
        Outcome expected = two(SMALL, order, 1);
        int calls = (int) expected.steps / (order == 1 ? 2 : 1); // of which each runs two of Euler's steps
        for (int after = 1; after < calls; after += 1 + calls / 5) {
            double[] cells;
            double[][] faces = new double[2][];
            double time;
            long steps;
            Map<String, Double> state;
            try (Session session = Session.builder().workers(1).open();
                    FieldStore fields = FieldStore.open(session, SMALL)) {
                Integrator integrator = two(fields, order);
                for (int i = 0; i < after; i++) {
                    integrator.control().advance(0.7, () -> {});
                }
                cells = fields.values(U);
                faces[0] = fields.values(fields.field(W, 0));
                faces[1] = fields.values(fields.field(W, 1));
                time = integrator.time();
                steps = integrator.steps();
                state = integrator.control().state();
            }
            try (Session session = Session.builder().workers(2).open();
                    FieldStore fields = FieldStore.open(session, SMALL)) {
                Integrator integrator = two(fields, order);
                fields.set(U, (x, y, z) -> cells[at(x - 0.5, y - 0.5, 9, 7)]);
                fields.set(fields.field(W, 0), (x, y, z) -> faces[0][at(x, y - 0.5, 10, 7)]);
                fields.set(fields.field(W, 1), (x, y, z) -> faces[1][at(x - 0.5, y, 9, 8)]);
                integrator.resume(time, steps);
                integrator.control().restore(state);
                integrator.runUntil(0.7);
                expected.requireSame(Outcome.of(fields, integrator, U), "after step " + after);
            }
        }
    }

    /** Returns the number of a point; of a ghost that of the nearest one. */
    private static int at(double x, double y, int columns, int rows) {
        int column = Math.clamp(Math.round(x), 0, columns - 1);
        return Math.clamp(Math.round(y), 0, rows - 1) * columns + column;
    }

    /** What a rejected step has written is written again by the one that takes its place. */
    @Test
    void keptFieldsAreThoseOfTheStepThatWasAccepted() {
        Grid grid = Grid.of(40).lengths(4).ghosts(1);
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(U, (x, y, z) -> Math.sin(x));
            Expr<Cell> rate = U.times(U).times(U.negate()).times(50).plus(cos(t().times(20)));
            Integrator integrator = Ssp.order(2)
                    .advance(U, U_RATE)
                    .of(Model.of(grid)
                            .source(U)
                            .define(U_RATE, rate)
                            .tree(U_RATE)
                            .keep(U_RATE))
                    .tolerance(1e-5)
                    .compile(fields);
            long rejections = 0;
            for (int i = 0; i < 40; i++) {
                double[] before = fields.values(U);
                double time = integrator.time();
                integrator.control().advance(4, () -> {});
                rejections = integrator.control().rejections();
                double[] after = fields.values(U);
                double[] kept = fields.values(U_RATE);
                for (int x = 0; x < before.length; x++) { // the rate of the first stage is kept
                    double expected = -before[x] * before[x] * before[x] * 50 + Math.cos(20 * time);
                    assertEquals(expected, kept[x], 1e-10 * (1 + Math.abs(expected)));
                    assertTrue(Math.abs(after[x] - before[x]) < 1);
                }
            }
            assertTrue(rejections > 0, "none was rejected");
        }
    }

    /** Nothing is left of a step whose values are not finite. */
    @Test
    void aStepThatIsNotFiniteIsRejected() {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, Grid.of(4))) {
            fields.set(U, (x, y, z) -> 1);
            Expr<Cell> root = Functions.sqrt(U.negate().plus(2)); // no number beyond 2
            Integrator integrator = Ssp.order(3)
                    .advance(U, U_RATE)
                    .of(Model.of(fields.grid()).source(U).define(U_RATE, root).tree(U_RATE))
                    .tolerance(1e-4)
                    .compile(fields);
            integrator.runUntil(1.9);
            assertEquals(2 - 0.05 * 0.05, fields.max(U), 1e-3); // its root falls by t/2
            assertMentions(
                    assertThrows(ArithmeticException.class, () -> endless(session)),
                    "[u] advance by no step from t = ",
                    "or the solution grows without bounds");
        }
    }

    /** {@code u' = u²} is infinite at t = 1. */
    private static void endless(Session session) {
        try (FieldStore fields = FieldStore.open(session, Grid.of(4))) {
            fields.set(U, (x, y, z) -> 1);
            Ssp.order(3)
                    .advance(U, U_RATE)
                    .of(Model.of(fields.grid())
                            .source(U)
                            .define(U_RATE, U.times(U))
                            .tree(U_RATE))
                    .tolerance(1e-4)
                    .compile(fields)
                    .runUntil(2);
        }
    }

    @Test
    void wrongCallsAreRefused() {
        Grid grid = Grid.of(4);
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(U, (x, y, z) -> 1);
            Ssp.Of steps = Ssp.order(3)
                    .advance(U, U_RATE)
                    .of(Model.of(grid).source(U).define(U_RATE, U.negate()).tree(U_RATE));
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> steps.tolerance(0)),
                    "is above 0 and below 1, such as 1e-4, not 0");
            assertMentions(
                    assertThrows(
                            IllegalStateException.class,
                            () -> steps.compile(fields).runUntil(1)),
                    "runUntil(end, length)",
                    "tolerance(1e-4)");
            StepControl control = steps.tolerance(1e-4).compile(fields).control();
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> control.share(0)),
                    "above 0 and at most 1, not 0");
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> control.restore(Map.of("next", 1.0))),
                    "lacks [begin, before");
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> control.advance(0, () -> {})),
                    "a step from t = 0.0 cannot lead to t = 0.0");
        }
    }

    /** Phases separate, without the patterns of cells of steps that are too long. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void allenAndCahnsPhasesAreSmooth(int order) {
        Grid grid = Grid.of(64, 64).lengths(64, 64).ghosts(1);
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(
                    U, (x, y, z) -> 0.1 * Math.sin(0.9 * x) * Math.cos(0.7 * y) + 0.05 * Math.sin(2.3 * x + 1.1 * y));
            Expr<Cell> rate = laplacian(U).plus(U).minus(U.times(U).times(U));
            Integrator integrator = Ssp.order(order)
                    .advance(U, U_RATE)
                    .of(Model.of(grid).source(U).define(U_RATE, rate).tree(U_RATE))
                    .boundary(U, Side.X_LOW, periodic())
                    .boundary(U, Side.Y_LOW, periodic())
                    .tolerance(1e-4)
                    .compile(fields);
            integrator.runUntil(20);
            double[] values = fields.values(U);
            double most = 0;
            for (int y = 0; y < 64; y++) {
                for (int x = 1; x < 63; x++) {
                    int at = y * 64 + x;
                    most = Math.max(most, Math.abs(values[at + 1] - 2 * values[at] + values[at - 1]));
                }
            }
            double bend = most;
            assertTrue(bend < 0.6, () -> "second difference " + bend); // 4 of the pattern
            assertTrue(fields.max(U) < 1.01 && fields.max(U) > 0.9, () -> "up to " + fields.max(U));
        }
    }
}
