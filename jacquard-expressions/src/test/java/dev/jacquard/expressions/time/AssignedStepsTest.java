package dev.jacquard.expressions.time;

import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.grad;
import static dev.jacquard.expressions.language.Operators.laplacian;
import static dev.jacquard.expressions.tree.Boundaries.Condition.dirichlet;
import static dev.jacquard.expressions.tree.Boundaries.Condition.neumann;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.targets.TargetPolicy;
import dev.jacquard.expressions.tree.ExpressionTree;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Model;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps in time whose expressions are computed on several targets. */
@Timeout(120)
class AssignedStepsTest {
    private static final Grid GRID = Grid.of(12, 9).lengths(1, 1).ghosts(1);
    private static final int STEPS = 9;
    private static final double STEP = 1e-3;
    private static final ExecutionTarget ONE = ExecutionTarget.named("emulated0");
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Cell> U = Tag.cell("u");
    private static final Tag<Cell> K = Tag.cell("k");
    private static final Tag<Cell> RATE = Tag.cell("dT/dt");
    private static final Tag<Cell> GROWTH = Tag.cell("du/dt");
    private static final Tag<Faces> FLUX = Tag.faces("flux");
    private static final TargetPolicy LAST = step -> new TargetPolicy.Choice(
            step.works().stream().map(work -> work.eligible().getLast()).toList(),
            step.works().stream().map(TargetPolicy.Work::name).toList());

    private static ExpressionTree tree() {
        return Model.of(GRID)
                .source(T, U, K)
                .define(FLUX, faces(K).times(grad(T)))
                .define(RATE, div(FLUX).plus(U))
                .define(GROWTH, T.times(-1))
                .tree(RATE, GROWTH)
                .fuse(false);
    }

    private static SessionBuilder builder(FaultPlan faults) {
        return Session.builder()
                .workers(2)
                .device(EmulatedDevice.offer("emulated0").faults(faults))
                .device(EmulatedDevice.offer("emulated1"));
    }

    private static void set(FieldStore fields) {
        fields.set(K, (x, y, z) -> 1 + 0.5 * x);
        fields.set(U, (x, y, z) -> x - y);
        fields.set(T, (x, y, z) -> Math.sin(Math.PI * y) + x);
    }

    private static Ssp.Of steps(int order, ExpressionTree tree) {
        return Ssp.order(order)
                .advance(T, RATE)
                .advance(U, GROWTH)
                .of(tree)
                .boundary(T, Side.X_LOW, neumann(0))
                .boundary(T, Side.X_HIGH, dirichlet((x, y, z, t) -> 1 + t))
                .boundary(T, Side.Y_LOW, dirichlet(0))
                .boundary(T, Side.Y_HIGH, neumann(1));
    }

    /** Returns T, then u. */
    private static List<double[]> values(FieldStore fields) {
        return List.of(fields.values(T), fields.values(U));
    }

    private static List<double[]> expected(int order) {
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            steps(order, tree()).compile(fields).run(STEPS, STEP);
            return values(fields);
        }
    }

    private static void assertEqual(List<double[]> expected, List<double[]> found, Object what) {
        for (int i = 0; i < expected.size(); i++) {
            assertArrayEquals(expected.get(i), found.get(i), what::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void allPoliciesGiveTheSameBytes(int order) {
        List<double[]> expected = expected(order);
        List<TargetPolicy> policies = List.of(
                TargetPolicy.host(),
                TargetPolicy.roundRobin(),
                TargetPolicy.minimumLoad(),
                TargetPolicy.hybrid(),
                LAST);
        for (TargetPolicy policy : policies) {
            try (Session session = builder(FaultPlan.NONE).open();
                    FieldStore fields = FieldStore.open(session, GRID)) {
                set(fields);
                Integrator steps = steps(order, tree()).targets(policy).compile(fields);
                steps.run(STEPS, STEP);
                assertEqual(expected, values(fields), policy);
                assertEquals(STEPS, steps.steps());
            }
        }
    }

    /** An earlier tree had computed it inside of another one's loop. */
    @Test
    void aFieldThatTheStepsKeepHasMemory() {
        try (Session session = builder(FaultPlan.NONE).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            Tag<Cell> twice = Tag.cell("twice");
            ExpressionTree tree = Model.of(GRID)
                    .source(T)
                    .define(twice, T.times(2))
                    .define(RATE, twice.plus(1))
                    .tree(RATE);
            tree.compile(fields).run();
            Integrator steps = Ssp.order(2)
                    .advance(T, RATE)
                    .of(tree.keep(twice))
                    .targets(TargetPolicy.roundRobin())
                    .compile(fields);
            steps.step(STEP);
            assertEquals(1, steps.steps());
        }
    }

    @Test
    void whatCannotBeComputedIsToldBeforeTheFirstStep() {
        try (Session session = builder(FaultPlan.NONE).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            Ssp.Of steps = steps(
                    2,
                    Model.of(GRID)
                            .source(T, U)
                            .define(RATE, laplacian(laplacian(T)))
                            .define(GROWTH, T.times(-1))
                            .tree(RATE, GROWTH));
            IllegalArgumentException told = assertThrows(IllegalArgumentException.class, () -> steps.compile(fields));
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> steps.targets(TargetPolicy.host()).compile(fields)),
                    String.valueOf(told.getMessage()));
        }
    }

    @Test
    void thePolicyChangesBetweenSteps() {
        try (Session session = builder(FaultPlan.NONE).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            Integrator steps = steps(3, tree()).targets(TargetPolicy.host()).compile(fields);
            for (int i = 0; i < STEPS; i++) {
                List<TargetPolicy> all = List.of(LAST, TargetPolicy.roundRobin(), TargetPolicy.host());
                steps.runs().orElseThrow().policy(all.get(i % all.size()));
                steps.step(STEP);
            }
            assertEqual(expected(3), values(fields), "changed policies");
            assertTrue(steps.snapshot().tasks().size() > 9, steps.snapshot()::toString);
        }
    }

    /** T goes home behind each step, and back with its ghosts; between stages only what varies at its walls moves. */
    @Test
    void whatTheHostNeedsGoesHomeBehindItsProducer() {
        try (Session session = builder(FaultPlan.NONE).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            Integrator steps = steps(2, tree().fuse(true).on(ONE, RATE, GROWTH)).compile(fields);
            steps.run(1, STEP);
            assertEquals(
                    Set.of(ONE), Set.copyOf(steps.runs().orElseThrow().targets().values()));
            fields.values(U); // so is looked at after a run
            long before = session.data().transfers().copies();
            for (int i = 0; i < 5; i++) {
                steps.step(STEP);
            }
            assertEquals(5 * 3, session.data().transfers().copies() - before);
            List<String> ahead = steps.runs().orElseThrow().prefetches();
            assertTrue(
                    !ahead.contains("T at stage 1 to host") && ahead.contains("T at stage 2 to host"), ahead::toString);
        }
    }

    @Test
    void theUsersAssignmentNeedsNoPolicy() {
        try (Session session = builder(FaultPlan.NONE).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            Integrator steps = steps(1, tree().on(Map.of(FLUX, ONE, GROWTH, ExecutionTarget.EMULATED)))
                    .compile(fields);
            steps.run(STEPS, STEP);
            assertEqual(expected(1), values(fields), "assigned");
            Map<Tag<?>, ExecutionTarget> targets = steps.runs().orElseThrow().targets();
            assertEquals(ONE, targets.get(FLUX));
            assertTrue(targets.containsValue(ExecutionTarget.HOST), targets::toString);
            assertMentions(assertThrows(IllegalStateException.class, () -> steps.threads(1, 1)), "several targets");
        }
    }

    /** The device is lost at each of its operations: the step is done again, from fields that it has not written. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void stepsAreDoneAgainWithoutALostDevice(int order) {
        List<double[]> expected = expected(order);
        List<String> gone = new ArrayList<>();
        int lost = 0;
        for (int operation = 1; operation < 60; operation += order) {
            try (Session session = builder(FaultPlan.NONE.at(FaultPlan.Kind.LOSS, operation))
                            .open();
                    FieldStore fields = FieldStore.open(session, GRID)) {
                set(fields);
                Integrator steps =
                        steps(order, tree()).targets(TargetPolicy.roundRobin()).compile(fields);
                try {
                    steps.run(STEPS, STEP);
                    assertEqual(expected, values(fields), "operation " + operation);
                } catch (IllegalStateException e) { // u has no boundaries, and stays where it is computed
                    assertMentions(e, "cannot be computed again from its sources: \"u\" was lost");
                    gone.add(e.getMessage());
                } catch (RuntimeException e) {
                    assertMentions(e, "that is lost"); // between the last step and the look
                }
                lost += session.data().faults().lost().size();
            }
        }
        assertTrue(lost > 15 && lost > gone.size() + 5, lost + " losses: " + gone);
    }

    /** Behind an odd number of steps the memory of u is that which was made for its next values. */
    @Test
    void aFieldThatIsLostHasTheUsersName() {
        List<String> messages = new ArrayList<>();
        for (int operation = 1; operation < 20; operation++) {
            try (Session session = builder(FaultPlan.NONE.at(FaultPlan.Kind.LOSS, operation))
                            .open();
                    FieldStore fields = FieldStore.open(session, GRID)) {
                set(fields);
                ExpressionTree tree = tree().fuse(true).on(Map.of(GROWTH, ExecutionTarget.EMULATED));
                steps(1, tree).compile(fields).run(STEPS, STEP);
            } catch (IllegalStateException e) {
                messages.add(String.valueOf(e.getMessage()));
            } catch (RuntimeException e) {
                assertMentions(e, "that is lost"); // between the last step and the look
            }
        }
        String expected = "the step cannot be computed again from its sources: \"u\" was lost";
        assertTrue(messages.size() > 2, messages::toString);
        messages.forEach(message -> assertTrue(message.startsWith(expected), message));
    }

    /** A grid without ghosts has none to be filled. */
    @Test
    void splitStepsRunOnGridsWithoutGhosts() {
        Grid grid = Grid.of(9);
        ExpressionTree tree =
                Model.of(grid).source(T).define(RATE, T.times(-1)).tree(RATE).split(ExecutionTarget.EMULATED, 0.5);
        try (Session session = builder(FaultPlan.NONE).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(T, (x, y, z) -> x);
            Ssp.order(1)
                    .advance(T, RATE)
                    .of(tree)
                    .boundary(T, Side.X_LOW, dirichlet(0))
                    .boundary(T, Side.X_HIGH, neumann(0))
                    .compile(fields)
                    .run(1, 0.5);
            assertEquals(4.25, fields.max(T));
        }
    }
}
