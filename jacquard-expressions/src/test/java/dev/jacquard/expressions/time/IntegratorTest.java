package dev.jacquard.expressions.time;

import static dev.jacquard.expressions.language.Functions.cos;
import static dev.jacquard.expressions.language.Functions.parameter;
import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.dx;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.grad;
import static dev.jacquard.expressions.language.Operators.laplacian;
import static dev.jacquard.expressions.tree.Boundaries.Condition.dirichlet;
import static dev.jacquard.expressions.tree.Boundaries.Condition.exchanged;
import static dev.jacquard.expressions.tree.Boundaries.Condition.neumann;
import static dev.jacquard.expressions.tree.Boundaries.Condition.periodic;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.MemoryPlan.Policy;
import dev.jacquard.expressions.tree.Model;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields that advance in time. */
class IntegratorTest {
    private static final Tag<Cell> U = Tag.cell("u");
    private static final Tag<Cell> V = Tag.cell("v");
    private static final Tag<Cell> U_RATE = Tag.cell("du/dt");
    private static final Tag<Cell> V_RATE = Tag.cell("dv/dt");
    private static final Tag<Cell> SUM = Tag.cell("sum");

    /** An oscillator in each cell, {@code u' = v, v' = −u}, has the order of the method. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void methodsHaveTheirOrder(int order) {
        double[] errors = new double[2];
        for (int i = 0; i < 2; i++) {
            int steps = 40 << i;
            try (Session session = Session.builder().workers(1).open();
                    FieldStore fields = FieldStore.open(session, Grid.of(3))) {
                fields.set(U, (x, y, z) -> 0);
                fields.set(V, (x, y, z) -> 1);
                Model model = Model.of(fields.grid())
                        .source(U, V)
                        .define(U_RATE, V.times(1))
                        .define(V_RATE, U.negate());
                Integrator integrator = Ssp.order(order)
                        .advance(U, U_RATE)
                        .advance(V, V_RATE)
                        .of(model.tree(U_RATE, V_RATE))
                        .compile(fields);
                integrator.run(steps, 1.0 / steps);
                assertEquals(1, integrator.time(), 1e-12);
                assertEquals(steps, integrator.steps());
                errors[i] = Math.abs(fields.max(U) - Math.sin(1));
            }
        }
        assertEquals(order, Math.log(errors[0] / errors[1]) / Math.log(2), 0.1);
    }

    /** The time is that of the stage: quadratures of a function of t are exact for the polynomials of the method. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void stagesHaveTheirTimes(int order) {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, Grid.of(3))) {
            fields.set(U, (x, y, z) -> 0);
            Model model = Model.of(fields.grid())
                    .source(U)
                    .define(U_RATE, Tag.cell("u").times(0).plus(parameter("t")).pow(order - 1));
            Integrator integrator =
                    Ssp.order(order).advance(U, U_RATE).of(model.tree(U_RATE)).compile(fields);
            integrator.runUntil(2, 0.3);
            assertEquals(2, integrator.time());
            assertEquals(7, integrator.steps());
            assertEquals(Math.pow(2, order) / order, fields.max(U), 1e-12);
        }
    }

    /** Two fields that act on each other through a third, which is stored; walls that move. */
    private static double[] coupled(int order, int workers, boolean fuses, Policy policy, int steps) {
        Grid grid = Grid.of(12, 9, 5).lengths(1, 0.8, 0.5).ghosts(1);
        SessionBuilder builder = Session.builder().workers(workers);
        if (workers > 2) { // then one of them is a device
            builder.workers(2).devices("emulated0");
        }
        try (Session session = builder.open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(U, (x, y, z) -> Math.sin(3 * x) + y);
            fields.set(V, (x, y, z) -> Math.cos(2 * y) - z);
            Model model = Model.of(grid)
                    .source(U, V)
                    .define(SUM, U.times(V).plus(parameter("c")))
                    .define(U_RATE, div(faces(V).times(grad(U))).plus(SUM))
                    .define(V_RATE, dx(V).minus(cos(SUM)).plus(laplacian(V).times(0.1)));
            Ssp.Of ssp = Ssp.order(order)
                    .advance(U, U_RATE)
                    .advance(V, V_RATE)
                    .of(model.tree(U_RATE, V_RATE).fuse(fuses).fields(policy))
                    .parameter("c", 0.25);
            for (Tag<Cell> tag : List.of(U, V)) {
                ssp = ssp.boundary(tag, Side.X_LOW, periodic())
                        .boundary(tag, Side.Y_LOW, neumann(0.5))
                        .boundary(tag, Side.Y_HIGH, dirichlet((x, y, z, t) -> x * z + t))
                        .boundary(tag, Side.Z_LOW, dirichlet(1))
                        .boundary(tag, Side.Z_HIGH, neumann((x, y, z, t) -> Math.sin(t)));
            }
            Integrator integrator = ssp.compile(fields);
            for (int i = 0; i < steps; i++) {
                integrator.run(1, 1e-3);
            }
            assertTrue(integrator.loops() >= 2 * order);
            double[] u = fields.values(U);
            double[] v = fields.values(V);
            double[] all = Arrays.copyOf(u, u.length + v.length);
            System.arraycopy(v, 0, all, u.length, v.length);
            return all;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void workersFusionAndPoliciesChangeNoBit(int order) {
        double[] expected = coupled(order, 1, true, Policy.DYNAMIC, 3);
        for (Policy policy : Policy.values()) {
            for (boolean fuses : new boolean[] {true, false}) {
                assertArrayEquals(expected, coupled(order, 2, fuses, policy, 3), policy + ", fused: " + fuses);
            }
        }
        assertArrayEquals(expected, coupled(order, 3, true, Policy.DYNAMIC, 3), "with a device");
        double[] more = coupled(order, 1, true, Policy.DYNAMIC, 4);
        assertTrue(Math.abs(more[0] - expected[0]) > 1e-6, "it advances");
    }

    /** Diffusion of a wave with all kinds of walls converges with second order in space. */
    @Test
    void diffusionHasSecondOrder() {
        double[] errors = new double[2];
        for (int i = 0; i < 2; i++) {
            int cells = 16 << i;
            Grid grid = Grid.of(cells, cells).lengths(1, 1).ghosts(1);
            try (Session session = Session.builder().workers(1).open();
                    FieldStore fields = FieldStore.open(session, grid)) {
                fields.set(U, (x, y, z) -> Math.cos(2 * Math.PI * x) * Math.sin(Math.PI * y));
                Model model = Model.of(grid).source(U).define(U_RATE, laplacian(U));
                double k = 5 * Math.PI * Math.PI;
                Integrator integrator = Ssp.order(3)
                        .advance(U, U_RATE)
                        .of(model.tree(U_RATE))
                        .boundary(U, Side.X_LOW, periodic())
                        .boundary(U, Side.Y_LOW, dirichlet(0))
                        .boundary(
                                U,
                                Side.Y_HIGH,
                                neumann((x, y, z, t) -> -Math.PI * Math.exp(-k * t) * Math.cos(2 * Math.PI * x)))
                        .compile(fields);
                integrator.runUntil(0.02, 0.1 / cells / cells);
                Tag<Cell> error = Tag.cell("error");
                fields.set(error, (x, y, z) -> Math.exp(-k * 0.02) * Math.cos(2 * Math.PI * x) * Math.sin(Math.PI * y));
                double[] exact = fields.values(error);
                double[] found = fields.values(U);
                for (int p = 0; p < exact.length; p++) {
                    errors[i] = Math.max(errors[i], Math.abs(exact[p] - found[p]));
                }
            }
        }
        assertEquals(2, Math.log(errors[0] / errors[1]) / Math.log(2), 0.1);
    }

    @Test
    void unstableStepsAreFound() {
        Grid grid = Grid.of(16).ghosts(1);
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(U, (x, y, z) -> x == 8.5 ? 1 : 0);
            Model model = Model.of(grid).source(U).define(U_RATE, laplacian(U));
            Integrator integrator = Ssp.order(1)
                    .advance(U, U_RATE)
                    .of(model.tree(U_RATE))
                    .boundary(U, Side.X_LOW, periodic())
                    .compile(fields);
            assertMentions(
                    assertThrows(ArithmeticException.class, () -> integrator.run(1_000, 1e3)),
                    "\"u\" is not finite at point [",
                    "after step 100, and was finite after step 0",
                    "du/dt");
            fields.set(U, (x, y, z) -> x == 4.5 ? Double.NaN : 0);
            integrator.checkEvery(1);
            assertMentions(
                    assertThrows(ArithmeticException.class, () -> integrator.run(5, 0.1)),
                    "\"u\" is not finite at point [3, 0, 0] after step 101");
        }
    }

    /** Not after 100 steps, as the fault of one that was too long. */
    @Test
    void stepsFromValuesThatAreNotFiniteAreRefused() {
        Grid grid = Grid.of(4, 4);
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            Tag<Faces> flow = Tag.faces("flow");
            Tag<Faces> slower = Tag.faces("slower");
            fields.set(fields.field(flow, 0), (x, y, z) -> 1);
            fields.set(fields.field(flow, 1), (x, y, z) -> x == 2.5 && y == 3 ? Double.NEGATIVE_INFINITY : 1);
            Integrator integrator = Ssp.order(1)
                    .advance(flow, slower)
                    .of(Model.of(grid)
                            .source(flow)
                            .define(slower, flow.negate())
                            .tree(slower))
                    .compile(fields);
            integrator.resume(3, 7);
            fields.set(fields.field(flow, 1), (x, y, z) -> 1);
            integrator.run(0, 0.5); // looks at the values that are there, and not for the step to come
            integrator.runUntil(3, 0.5);
            fields.set(fields.field(flow, 1), (x, y, z) -> x == 2.5 && y == 3 ? Double.NEGATIVE_INFINITY : 1);
            String refused = "\"flow\" begins with a value that is not finite, at point [2, 3, 0], t = 3.0";
            assertMentions(assertThrows(ArithmeticException.class, () -> integrator.step(0.5)), refused);
            assertMentions(assertThrows(ArithmeticException.class, () -> integrator.run(1, 0.5)), refused);
            assertEquals(7, integrator.steps());

            fields.set(fields.field(flow, 1), (x, y, z) -> 1);
            integrator.step(0.5);
            assertEquals(0.5, fields.values(fields.field(flow, 1))[0]);
        }
    }

    /** Each of two integrators exchanges fields: the other one would go on with old values. */
    @Test
    void twoIntegratorsOfOneFieldAreRefused() {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, Grid.of(3))) {
            fields.set(U, (x, y, z) -> 1);
            Model model = Model.of(fields.grid()).source(U).define(U_RATE, U.negate());
            Ssp.Of euler = Ssp.order(1).advance(U, U_RATE).of(model.tree(U_RATE));
            Integrator one = euler.compile(fields);
            Integrator other = euler.compile(fields);
            one.step(0.5);
            assertEquals(0.5, fields.max(U));
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> other.step(0.5)),
                    "\"u\" was exchanged since the integrator's last step");
            one.step(0.5);
            other.step(0.5);
            assertEquals(0.125, fields.max(U), "after two steps the fields are where they were");
        }
    }

    /** The other integrator would read the field as it was before the exchange. */
    @Test
    void anIntegratorThatReadsWhatAnotherExchangesIsRefused() {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, Grid.of(3))) {
            Model model = Model.of(fields.grid())
                    .source(U, V)
                    .define(U_RATE, V.times(1))
                    .define(V_RATE, U.times(1));
            fields.set(U, (x, y, z) -> 1);
            fields.set(V, (x, y, z) -> 1);
            Integrator one =
                    Ssp.order(1).advance(U, U_RATE).of(model.tree(U_RATE)).compile(fields);
            Integrator other =
                    Ssp.order(1).advance(V, V_RATE).of(model.tree(V_RATE)).compile(fields);
            one.step(0.5);
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> other.step(0.5)),
                    "\"u\" was exchanged since the integrator's last step",
                    "one integrator advance them all");
        }
    }

    @Test
    void aRunWithoutStepsLooksAtTheStart() {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, Grid.of(3))) {
            fields.set(U, (x, y, z) -> Double.NaN);
            Integrator integrator = Ssp.order(2)
                    .advance(U, U_RATE)
                    .of(Model.of(fields.grid())
                            .source(U)
                            .define(U_RATE, U.negate())
                            .tree(U_RATE))
                    .compile(fields);
            assertMentions(
                    assertThrows(ArithmeticException.class, () -> integrator.run(0, 1)),
                    "\"u\" begins with a value that is not finite");
        }
    }

    @Test
    void refusesWhatCannotAdvance() {
        Grid grid = Grid.of(16).ghosts(1);
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            Model model = Model.of(grid).source(U).define(U_RATE, laplacian(U)).define(V, U.times(2));
            Ssp euler = Ssp.order(1);
            refused(() -> Ssp.order(4), "order 1 (Euler), 2 and 3, not 4");
            refused(() -> euler.of(model.tree(U_RATE)).compile(fields), "nothing advances");
            refused(
                    () -> euler.advance(U, V_RATE).of(model.tree(U_RATE)).compile(fields),
                    "\"u\" advances by \"dv/dt\", which the tree does not compute; it computes [du/dt]");
            refused(() -> euler.advance(U, U_RATE).advance(U, V_RATE), "\"u\" advances by \"du/dt\" already");
            refused(
                    () -> euler.advance(V, U_RATE).of(model.tree(U_RATE, V)).compile(fields),
                    "\"v\" advances, and the tree has an expression for it");
            Ssp.Of its = euler.advance(U, U_RATE).of(model.tree(U_RATE));
            refused(
                    () -> its.boundary(V, Side.X_LOW, periodic()).compile(fields),
                    "\"v\" has conditions at its boundaries, but does not advance");
            refused(
                    () -> its.boundary(U, Side.X_LOW, exchanged()),
                    "\"u\" has exchanged ghosts on side X_LOW, and the stages of a step exchange nothing");
            refused(() -> its.parameter("dt", 1).compile(fields), "\"dt\" is given by the method");
            refused(
                    () -> its.parameter("kapa", 1).compile(fields),
                    "no expression has a parameter \"kapa\"; they have []");
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> its.compile(fields)),
                    "\"du/dt\" needs 1 layer of \"u\" beyond the boundary, which nothing fills");
            assertMentions(
                    assertThrows(
                            IllegalStateException.class,
                            () -> its.boundary(U, Side.X_LOW, dirichlet(0)).compile(fields)),
                    "\"u\" has no condition on side X_HIGH: boundary(u, X_HIGH, condition) gives it one");
            Integrator integrator = its.boundary(U, Side.X_LOW, periodic()).compile(fields);
            refused(() -> integrator.run(1, 0), "1 steps of 0.0");
            refused(() -> integrator.runUntil(-1, 1), "to t = -1.0");
            integrator.resume(1e9, 7);
            assertEquals(7, integrator.steps());
            refused(() -> integrator.runUntil(2e9, 1e-9), "to t = 2.0E9 in 1e12 or fewer");
            refused(() -> integrator.step(1e-9), "a step of 1.0E-9 from t = 1.0E9 leads nowhere");
            refused(
                    () -> integrator.step(Double.POSITIVE_INFINITY),
                    "a step of Infinity from t = 1.0E9 leads to no time");
            refused(() -> integrator.step(Double.NaN), "a step of NaN from t = 1.0E9 leads nowhere");
            refused(() -> integrator.resume(Double.NaN, 3), "from t = NaN after 3 steps: the time is finite");
            refused(() -> integrator.resume(Double.NEGATIVE_INFINITY, 3), "from t = -Infinity");
            refused(() -> integrator.resume(2, -3), "from t = 2.0 after -3 steps: the time is finite");
            integrator.resume(Double.MAX_VALUE, 7);
            refused(() -> integrator.step(Double.MAX_VALUE), "to no time that is finite: it must be shorter");
            assertEquals(7, integrator.steps());
        }
    }

    /** In the names that the user gave, not in those of stages. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void fieldsThatStagesCannotWriteAreRefusedByName(int order) {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, Grid.of(3))) {
            fields.external(U, MemorySegment.ofArray(new double[3]).asReadOnly());
            Model model = Model.of(fields.grid()).source(U).define(U_RATE, U.negate());
            refused(
                    () -> Ssp.order(order)
                            .advance(U, U_RATE)
                            .of(model.tree(U_RATE))
                            .compile(fields),
                    "\"u\" is in read-only memory of the user's");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"u at stage 1", "u after the step", "du/dt at stage 1"})
    void fieldsThatAreCalledAsThoseOfStagesAreRefused(String name) {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, Grid.of(3))) {
            Tag<Cell> other = Tag.cell(name);
            Model model = Model.of(fields.grid()).source(U).source(other).define(U_RATE, other.minus(U));
            refused(
                    () -> Ssp.order(2).advance(U, U_RATE).of(model.tree(U_RATE)).compile(fields),
                    "\"" + name + "\" is what the stages of a step call the next values of \""
                            + name.substring(0, name.indexOf(' ')) + "\": give your field another name");
        }
    }

    private static void refused(Runnable call, String mentions) {
        assertMentions(assertThrows(IllegalArgumentException.class, call::run), mentions);
    }
}
