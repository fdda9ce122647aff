package dev.jacquard.expressions.time;

import static dev.jacquard.expressions.language.Operators.laplacian;
import static dev.jacquard.expressions.tree.Boundaries.Condition.dirichlet;
import static dev.jacquard.expressions.tree.Boundaries.Condition.neumann;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.targets.TargetPolicy;
import dev.jacquard.expressions.tree.ExpressionTree;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Model;
import dev.jacquard.expressions.tree.TreeRuns;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Devices that refuse what runs and steps bring there, are lost between the steps that measure, or are too small. */
@Timeout(180)
class RefusingTargetsTest {
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Cell> RATE = Tag.cell("rate");
    private static final Tag<Cell> HEAT = Tag.cell("heat");
    private static final Tag<Cell> OTHER = Tag.cell("other");
    private static final Grid PLANE = Grid.of(16, 16).ghosts(1);

    private static EmulatedOffer emulated(FaultPlan plan) {
        return EmulatedDevice.offer("emulated0").faults(plan);
    }

    private static ExpressionTree tree() {
        return Model.of(PLANE)
                .source(T)
                .define(RATE, laplacian(T))
                .define(HEAT, T.times(RATE))
                .tree(HEAT, RATE)
                .fuse(false);
    }

    private static void set(FieldStore fields) {
        fields.set(T, (x, y, z) -> x * y * y);
    }

    private static double onHost() {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, PLANE)) {
            set(fields);
            tree().compile(fields).run();
            return fields.sum(HEAT);
        }
    }

    @Test
    void runsGoOnWithoutADeviceThatRefuses() {
        double expected = onHost();
        for (Kind kind : List.of(Kind.ALLOCATION, Kind.COPY, Kind.LAUNCH)) {
            for (TargetPolicy policy :
                    List.of(TargetPolicy.hybrid(), TargetPolicy.roundRobin(), TargetPolicy.minimumLoad())) {
                try (Session session = Session.builder()
                                .workers(1)
                                .device(emulated(FaultPlan.NONE.rate(kind, 1)))
                                .open();
                        FieldStore fields = FieldStore.open(session, PLANE)) {
                    set(fields);
                    TreeRuns runs = TreeRuns.of(tree(), fields, policy);
                    for (int i = 0; i < 5; i++) {
                        runs.run();
                    }
                    assertEquals(expected, fields.sum(HEAT), kind + ", " + policy);
                }
            }
        }
    }

    /** Each step leaves the field on the host, those too that measure: the next one begins from it again. */
    @Test
    void stepsAreDoneAgainWhereverADeviceIsLost() {
        for (int order = 1; order <= 3; order++) {
            double[] expected = steps(order, FaultPlan.NONE);
            for (int operation = 1; operation < 40; operation++) {
                assertArrayEquals(
                        expected,
                        steps(order, FaultPlan.NONE.at(Kind.LOSS, operation)),
                        "order " + order + ", operation " + operation);
            }
        }
    }

    private static double[] steps(int order, FaultPlan plan) {
        Grid line = Grid.of(8).ghosts(1);
        try (Session session =
                        Session.builder().workers(1).device(emulated(plan)).open();
                FieldStore fields = FieldStore.open(session, line)) {
            fields.set(T, (x, y, z) -> x * x);
            Integrator steps = Ssp.order(order)
                    .advance(T, RATE)
                    .of(Model.of(line).source(T).define(RATE, laplacian(T)).tree(RATE))
                    .targets(TargetPolicy.hybrid())
                    .boundary(T, Side.X_LOW, dirichlet(1))
                    .boundary(T, Side.X_HIGH, neumann(0))
                    .compile(fields);
            for (int i = 0; i < 8; i++) {
                steps.step(0.1);
            }
            return fields.values(T);
        }
    }

    @Test
    void aSplitTreeRunsWholeWhereTheNextDeviceIsTooSmall() {
        double[] sums;
        try (Session session = Session.builder()
                        .workers(1)
                        .device(emulated(FaultPlan.NONE.at(Kind.LOSS, 8)))
                        .device(EmulatedDevice.offer("emulated1"), 1_000)
                        .open();
                FieldStore fields = FieldStore.open(session, PLANE)) {
            TreeRuns runs = TreeRuns.of(tree().split(ExecutionTarget.EMULATED, 0.5), fields, TargetPolicy.hybrid());
            sums = IntStream.range(0, 10)
                    .mapToDouble(run -> {
                        set(fields);
                        runs.run();
                        return fields.sum(HEAT);
                    })
                    .toArray();
            assertEquals(1, session.data().faults().lost().size());
        }
        double[] expected = new double[sums.length];
        Arrays.fill(expected, onHost());
        assertArrayEquals(expected, sums);
    }

    /** The device is lost by other work, before there was a run in slabs. */
    @Test
    void aSplitTreeRunsWholeWhereItsDeviceIsLostBeforeAndTheNextIsTooSmall() {
        try (Session session = Session.builder()
                        .workers(1)
                        .device(emulated(FaultPlan.NONE.at(Kind.LOSS, 1)))
                        .device(EmulatedDevice.offer("emulated1"), 1_000)
                        .open();
                FieldStore fields = FieldStore.open(session, PLANE)) {
            set(fields);
            TreeRuns runs = TreeRuns.of(tree().split(ExecutionTarget.EMULATED, 0.5), fields, TargetPolicy.host());
            TreeRuns others = TreeRuns.of(
                    Model.of(PLANE).source(T).define(OTHER, T.times(2)).tree(OTHER),
                    fields,
                    step -> new TargetPolicy.Choice(
                            List.of(step.works().getFirst().eligible().getLast()), List.of("the last")));
            others.run();
            assertEquals(1, session.data().faults().lost().size());
            runs.run();
            assertEquals(onHost(), fields.sum(HEAT));
        }
    }
}
