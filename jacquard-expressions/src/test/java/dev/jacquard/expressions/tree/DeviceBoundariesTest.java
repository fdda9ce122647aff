package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Operators.laplacian;
import static dev.jacquard.expressions.tree.Boundaries.Condition.dirichlet;
import static dev.jacquard.expressions.tree.Boundaries.Condition.neumann;
import static dev.jacquard.expressions.tree.Boundaries.Condition.periodic;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Functions;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.targets.TargetPolicy;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Boundaries with functions, submitted live in a session with devices. */
@Timeout(180)
class DeviceBoundariesTest {
    private static final Grid GRID = Grid.of(8, 8).ghosts(1);
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Cell> R = Tag.cell("R");
    private static final int STEPS = 6;

    private static Boundaries walls(FieldStore fields) {
        return Boundaries.of(fields, T)
                .on(Side.X_LOW, dirichlet((x, y, z, t) -> t - y))
                .on(Side.X_HIGH, neumann(0))
                .on(Side.Y_LOW, periodic())
                .on(Side.Y_HIGH, periodic());
    }

    /** Submits the tasks of a step. */
    private static void step(FieldStore fields, Tasks graph, int number) {
        walls(fields).submit(graph, number);
        Assignment.of(fields, R, laplacian(T)).submit(graph);
        Assignment.of(fields, T, T.plus(R.times(Functions.number(0.01)))).submit(graph);
    }

    private static double[] run(SessionBuilder builder, boolean refines) {
        try (Session session = builder.open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(T, (x, y, z) -> x * y);
            fields.set(R, (x, y, z) -> 0);
            for (int i = 0; i < STEPS; i++) {
                int number = i;
                if (refines && i % 2 == 1) { // behind a step of which the graph knows already
                    session.graph()
                            .task("step")
                            .updates(fields.field(T).data())
                            .updates(fields.field(R).data())
                            .run(context -> context.refine(inside -> step(fields, inside, number)));
                } else {
                    step(fields, session.graph(), number);
                }
            }
            session.graph().await();
            return fields.values(T);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRefinementFillsThem(boolean checks) {
        SessionBuilder builder = Session.builder().workers(2).device(EmulatedDevice.offer("emulated0"));
        double[] expected = run(Session.builder().workers(1), false);
        assertArrayEquals(expected, run(checks ? builder.checking() : builder.noChecking(), true));
    }

    /** Where the time is a number, all that a device loses, or fails to do, is computed again. */
    @ParameterizedTest
    @EnumSource(
            value = FaultPlan.Kind.class,
            names = {"LOSS", "LAUNCH"})
    void theyAreFilledAgain(FaultPlan.Kind fault) {
        double[] expected = run(Session.builder().workers(1), false);
        for (int operation = 1; operation < 30; operation++) {
            FaultPlan plan = FaultPlan.NONE.at(fault, operation);
            SessionBuilder builder = Session.builder()
                    .workers(2)
                    .device(EmulatedDevice.offer("emulated0").faults(plan));
            assertArrayEquals(expected, run(builder, false), "operation " + operation);
        }
    }

    /** Nothing stays of them but the fields. */
    @Test
    void theNumbersAtTheWallsGo() {
        try (Session session = Session.builder()
                        .workers(2)
                        .device(EmulatedDevice.offer("emulated0"))
                        .open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(T, (x, y, z) -> x * y);
            List<Long> bytes = Stream.of(1, 50)
                    .map(count -> {
                        for (int i = 0; i < count; i++) {
                            walls(fields).submit(session.graph(), i);
                        }
                        session.graph().await();
                        return session.data().transfers().spaces().stream()
                                .mapToLong(space -> space.bytes())
                                .sum();
                    })
                    .toList();
            assertEquals(bytes.getFirst(), bytes.getLast());
        }
    }

    /** Boundaries of a field that no expression reads have no expression to be at. */
    @Test
    void whatNothingReadsIsFilledOnTheHost() {
        try (Session session = Session.builder()
                        .workers(2)
                        .device(EmulatedDevice.offer("emulated0"))
                        .open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(T, (x, y, z) -> x * y);
            fields.set(R, (x, y, z) -> 2);
            Tag<Cell> twice = Tag.cell("twice");
            ExpressionTree tree =
                    Model.of(GRID).source(R).define(twice, R.times(2)).tree(twice);
            Parameters numbers = Parameters.of(Map.of("t", 3.0));
            TreeStage stage = new TreeStage(tree, numbers, () -> List.of(walls(fields)));
            TreeRuns.of(fields, List.of(stage), List.of(), TargetPolicy.roundRobin())
                    .run();
            assertEquals(4, fields.max(twice));
        }
    }
}
