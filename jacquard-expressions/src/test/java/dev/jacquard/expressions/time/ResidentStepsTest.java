package dev.jacquard.expressions.time;

import static dev.jacquard.expressions.time.ResidentSteps.LENGTH;
import static dev.jacquard.expressions.time.ResidentSteps.RATE;
import static dev.jacquard.expressions.time.ResidentSteps.STEPS;
import static dev.jacquard.expressions.time.ResidentSteps.T;
import static dev.jacquard.expressions.time.ResidentSteps.assertBytesOfTheHost;
import static dev.jacquard.expressions.time.ResidentSteps.expected;
import static dev.jacquard.expressions.time.ResidentSteps.grid;
import static dev.jacquard.expressions.time.ResidentSteps.set;
import static dev.jacquard.expressions.time.ResidentSteps.steps;
import static dev.jacquard.expressions.time.ResidentSteps.tree;
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
import dev.jacquard.expressions.targets.TargetPolicy;
import dev.jacquard.expressions.time.ResidentSteps.Walls;
import dev.jacquard.expressions.tree.Boundaries.Condition;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.memory.coherence.Transfers;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Steps in time whose fields stay on devices, with their boundaries filled there. */
@Timeout(120)
class ResidentStepsTest {
    private static final ExecutionTarget DEVICE = ExecutionTarget.named("emulated0");

    private static SessionBuilder builder() {
        return Session.builder().workers(2).device(EmulatedDevice.offer("emulated0"));
    }

    @ParameterizedTest
    @EnumSource(Walls.class)
    void theBytesAreThoseOfTheHost(Walls walls) {
        for (DataType type : List.of(DataType.FLOAT64, DataType.FLOAT32)) {
            assertBytesOfTheHost(walls, EmulatedDevice.offer("emulated0"), type);
        }
    }

    /** Returns the bytes that five steps move, by the data and the way, behind some that came before. */
    private static Map<String, Long> moved(Ssp.Of steps, Grid grid) {
        try (Session session = builder().open();
                FieldStore fields = FieldStore.open(session, grid)) {
            set(fields);
            Integrator integrator = steps.compile(fields);
            for (int i = 0; i < 4; i++) {
                integrator.step(LENGTH);
            }
            Map<String, Long> moved = new TreeMap<>();
            session.data().transfers().data().forEach(one -> moved.put(way(one), -one.bytes()));
            for (int i = 0; i < STEPS; i++) {
                integrator.step(LENGTH);
            }
            session.data().transfers().data().forEach(one -> moved.merge(way(one), one.bytes(), Long::sum));
            moved.values().removeIf(bytes -> bytes == 0);
            return moved;
        }
    }

    private static String way(Transfers.Moved one) {
        return one.data() + ": " + one.from() + " to " + one.to();
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "3"})
    void stepsOnADeviceMoveNothing(int order) {
        Grid grid = grid(3, 1, DataType.FLOAT64);
        for (Walls walls : List.of(Walls.VALUES, Walls.SLOPES, Walls.PERIODIC)) {
            Ssp.Of steps = steps(tree(grid).on(DEVICE, RATE), order, walls).resident();
            assertEquals(Map.of(), moved(steps, grid), walls::name);
        }
    }

    /** Of varying walls on all sides the numbers go to the device, once for each stage. */
    @Test
    void whatVariesAtTheWallsIsAllThatMoves() {
        Grid grid = grid(3, 1, DataType.FLOAT64); // 7 x 9 x 12 cells
        Ssp.Of steps = steps(tree(grid).on(DEVICE, RATE), 2, Walls.VARYING).resident();
        long walls = 2 * Double.BYTES * (9 * 12 + (7 + 2) * 12 + (7 + 2) * (9 + 2));
        assertEquals(
                Map.of(
                        "walls of T: host to emulated0", STEPS * walls,
                        "walls of T at stage 1: host to emulated0", STEPS * walls),
                moved(steps, grid));
    }

    /** Slabs of twelve layers: a layer goes each way at the cut, and at the ends if these meet. */
    @ParameterizedTest
    @CsvSource({"VALUES, 1", "PERIODIC, 2"})
    void onlyLayersBetweenSlabsMove(Walls walls, long layers) {
        Grid grid = grid(3, 1, DataType.FLOAT64);
        Map<String, Long> moved = moved(steps(tree(grid).split(DEVICE, 0.5), 1, walls), grid);
        long between = moved.entrySet().stream()
                .filter(one -> !one.getKey().endsWith("emulated0 to emulated0"))
                .mapToLong(Map.Entry::getValue)
                .sum();
        assertEquals(STEPS * 2 * layers * Double.BYTES * (7 + 2) * (9 + 2), between, moved::toString);
    }

    /** The search leaves fields where a step left them, on the host: the device may be lost before the next one. */
    @Test
    void theLongestStepIsLookedForOnTheHost() {
        Grid grid = grid(2, 1, DataType.FLOAT64);
        try (Session session = builder().open();
                FieldStore fields = FieldStore.open(session, grid)) {
            set(fields);
            Integrator integrator =
                    steps(tree(grid).on(DEVICE, RATE), 2, Walls.VARYING).compile(fields);
            integrator.step(LENGTH);
            long copies = session.data().transfers().copies();
            assertTrue(integrator.stableStep() > LENGTH);
            assertEquals(copies, session.data().transfers().copies());
        }
    }

    @Test
    void whatALostDeviceAloneHadIsTold() {
        Grid grid = grid(2, 1, DataType.FLOAT64);
        double[] expected = expected(grid, 2, Walls.VALUES);
        int told = 0;
        for (int operation = 1; operation < 30; operation++) {
            FaultPlan lost = FaultPlan.NONE.at(FaultPlan.Kind.LOSS, operation);
            try (Session session = Session.builder()
                    .workers(2)
                    .device(EmulatedDevice.offer("emulated0").faults(lost))
                    .open()) {
                Ssp.Of steps = steps(tree(grid), 2, Walls.VALUES)
                        .targets(TargetPolicy.roundRobin())
                        .resident();
                assertArrayEquals(expected, ResidentSteps.values(session, steps, grid), "operation " + operation);
            } catch (RuntimeException e) {
                told++;
                assertMentions(e, "lost");
            }
        }
        assertTrue(told > 5, told + " told");
    }

    /** A function of the user's that throws fails the step as on the host. */
    @Test
    void functionsThatThrowFailTheStep() {
        Grid grid = grid(2, 1, DataType.FLOAT64);
        try (Session session = builder().open();
                FieldStore fields = FieldStore.open(session, grid)) {
            set(fields);
            Ssp.Of steps = steps(tree(grid).on(DEVICE, RATE), 1, Walls.VALUES)
                    .boundary(T, Side.X_LOW, Condition.dirichlet((x, y, z, t) -> {
                        throw new IllegalStateException("no value here");
                    }))
                    .resident();
            Integrator integrator = steps.compile(fields);
            assertMentions(
                    assertThrows(RuntimeException.class, () -> integrator.step(LENGTH)),
                    "boundaries of T",
                    "no value here");
        }
    }
}
