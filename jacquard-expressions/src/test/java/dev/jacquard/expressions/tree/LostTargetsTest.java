package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Functions.parameter;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.targets.TargetPolicy;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs of assigned trees whose devices are lost. */
@Timeout(180)
class LostTargetsTest {
    private static final Grid GRID = AssignedTreesTest.GRID;
    private static final ExecutionTarget ONE = AssignedTreesTest.ONE;
    private static final Tag<Cell> T = AssignedTreesTest.T;
    private static final Tag<Cell> TWICE = AssignedTreesTest.TWICE;
    private static final Tag<Cell> SUM = AssignedTreesTest.SUM;

    /** The device is lost at each of its first operations, in trials and later: the values are the same. */
    @Test
    void aStepIsDoneAgainWithoutALostDevice() {
        double[] expected = AssignedTreesTest.expected();
        Set<Integer> runsOfLoss = new TreeSet<>();
        for (TargetPolicy policy : List.of(TargetPolicy.roundRobin(), TargetPolicy.hybrid())) {
            for (int operation = 1; operation < 40; operation++) {
                FaultPlan plan = FaultPlan.NONE.at(FaultPlan.Kind.LOSS, operation);
                try (Session session = Session.builder()
                                .workers(2)
                                .device(EmulatedDevice.offer("emulated0").faults(plan))
                                .device(EmulatedDevice.offer("emulated1"))
                                .open();
                        FieldStore fields = FieldStore.open(session, GRID)) {
                    AssignedTreesTest.set(fields);
                    TreeRuns runs = TreeRuns.of(AssignedTreesTest.tree(), fields, policy);
                    for (int run = 0; run < 8; run++) {
                        runs.run();
                        if (!session.data().faults().lost().isEmpty()) {
                            runsOfLoss.add(run);
                        }
                    }
                    runs.run();
                    if (!session.data().faults().lost().isEmpty()) {
                        assertTrue(!runs.targets().containsValue(ONE), runs::explain);
                    }
                    assertArrayEquals(expected, values(fields, runs), policy + ", operation " + operation);
                }
            }
        }
        assertTrue(runsOfLoss.size() > 5, runsOfLoss::toString);
    }

    /** A device may be lost between a run and a look at it: there is no choice then, until the next run. */
    @Test
    void whatWasChosenForADeviceThatIsLostSinceIsForgotten() {
        EmulatedBody nothing = new EmulatedBody("nothing", launch -> {});
        Kernel other = Kernel.named("other").onDevice(ExecutionTarget.EMULATED, nothing);
        FaultPlan plan = FaultPlan.NONE.at(FaultPlan.Kind.LOSS, 1_000);
        try (Session session = Session.builder()
                        .workers(2)
                        .device(EmulatedDevice.offer("emulated0").faults(plan))
                        .open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            AssignedTreesTest.set(fields);
            TreeRuns runs = TreeRuns.of(AssignedTreesTest.tree(), fields, TargetPolicy.roundRobin());
            runs.run();
            assertTrue(runs.targets().containsValue(ONE), runs::explain);
            Data data = session.data().vector("other", new double[1]);
            for (int i = 0; i < 1_000; i++) {
                session.graph().task("other").updates(data).run(other.onHost(arguments -> {}));
            }
            session.graph().await();
            assertEquals(1, session.data().faults().lost().size());
            assertEquals(Map.of(), runs.targets());
            assertEquals(List.of(), runs.prefetches());
            assertEquals(0, runs.snapshot().tasks().size());
            runs.run();
            assertTrue(!runs.targets().isEmpty() && !runs.targets().containsValue(ONE), runs::explain);
            assertArrayEquals(AssignedTreesTest.expected(), values(fields, runs));
        }
    }

    /** Returns the values, computed again where the device was lost between the run and the look. */
    private static double[] values(FieldStore fields, TreeRuns runs) {
        try {
            return fields.values(SUM);
        } catch (RuntimeException e) {
            runs.run();
            return fields.values(SUM);
        }
    }

    /** A field that was computed on a device, and is there alone, goes with it. */
    @Test
    void sourcesThatALostDeviceAloneHadAreNamed() {
        List<String> told = new ArrayList<>();
        for (int operation = 1; operation < 12; operation++) {
            FaultPlan plan = FaultPlan.NONE.at(FaultPlan.Kind.LOSS, operation);
            try (Session session = Session.builder()
                            .workers(2)
                            .device(EmulatedDevice.offer("emulated0").faults(plan))
                            .open();
                    FieldStore fields = FieldStore.open(session, GRID)) {
                AssignedTreesTest.set(fields);
                Tag<Cell> next = Tag.cell("next");
                ExpressionTree tree = Model.of(GRID)
                        .source(T)
                        .define(next, T.times(parameter("c")))
                        .tree(next);
                TreeRuns runs = TreeRuns.of(
                        tree,
                        fields,
                        step -> new TargetPolicy.Choice(
                                step.works().stream()
                                        .map(work -> work.eligible().getLast())
                                        .toList(),
                                List.of("the last")),
                        Parameters.of(Map.of("c", 0.5)));
                double max = fields.max(T);
                try {
                    for (int run = 0; run < 6; run++) {
                        runs.run();
                        fields.swap(T, next);
                    }
                    assertEquals(max / 64, fields.max(T));
                } catch (IllegalStateException e) {
                    told.add(e.getMessage());
                    assertMentions(
                            e, "cannot be computed again from its sources", "lost with a device", "set it again");
                    AssignedTreesTest.set(fields);
                    runs.run();
                    assertEquals(max / 2, fields.max(next));
                } catch (TaskFailedException e) {
                    assertMentions(e, "is lost"); // lost between the last run and the look
                }
            }
        }
        assertTrue(told.size() >= 3, told::toString);
    }

    @Test
    void whatTheUserAssignedToALostDeviceIsNotMoved() {
        FaultPlan plan = FaultPlan.NONE.at(FaultPlan.Kind.LOSS, 2);
        try (Session session = Session.builder()
                        .workers(2)
                        .device(EmulatedDevice.offer("emulated0").faults(plan))
                        .open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            AssignedTreesTest.set(fields);
            TreeRuns runs = TreeRuns.of(AssignedTreesTest.tree().on(ONE, TWICE), fields, TargetPolicy.minimumLoad());
            assertMentions(
                    assertThrows(IllegalStateException.class, runs::run),
                    "\"twice\" is assigned to emulated0, which is lost");
        }
    }
}
