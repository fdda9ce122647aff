package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.grad;
import static dev.jacquard.expressions.language.Operators.laplacian;
import static dev.jacquard.expressions.language.Operators.stencil;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.language.Functions;
import dev.jacquard.expressions.language.Stencil;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.targets.TargetPolicy;
import dev.jacquard.expressions.time.Integrator;
import dev.jacquard.expressions.time.Ssp;
import dev.jacquard.memory.coherence.Transfers;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fields in two slabs, of which a device computes one. */
@Timeout(180)
class SplitTreesTest {
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Cell> K = Tag.cell("k");
    private static final Tag<Faces> FLUX = Tag.faces("flux");
    private static final Tag<Cell> RATE = Tag.cell("rate");
    private static final Tag<Cell> NEXT = Tag.cell("next");
    private static final List<Double> SHARES = List.of(0.15, 0.5, 0.8);

    private static SessionBuilder builder() {
        return Session.builder().workers(2).device(EmulatedDevice.offer("emulated0"));
    }

    private static ExpressionTree tree(Grid grid) {
        return Model.of(grid)
                .source(T, K)
                .define(FLUX, faces(K).times(grad(T)))
                .define(RATE, div(FLUX).plus(Functions.<Cell>x().times(0.25)))
                .define(NEXT, RATE.times(0.125).plus(T))
                .tree(NEXT, RATE)
                .fuse(false);
    }

    private static void set(FieldStore fields) {
        fields.set(T, (x, y, z) -> Math.sin(x) * Math.cos(2 * y) + z);
        fields.set(K, (x, y, z) -> 1 + 0.3 * x * y + z);
    }

    private static double[] run(ExpressionTree tree) {
        try (Session session = builder().open();
                FieldStore fields = FieldStore.open(session, tree.grid())) {
            set(fields);
            CompiledGraph step = tree.compile(fields);
            step.run();
            step.run();
            return fields.values(NEXT);
        }
    }

    @ParameterizedTest
    @CsvSource({"1,FLOAT64", "2,FLOAT64", "3,FLOAT64", "1,FLOAT32", "2,FLOAT32", "3,FLOAT32"})
    void theyHaveTheBytesOfWholeFields(int dimensions, DataType type) {
        int[] cells = dimensions == 1 ? new int[] {101} : dimensions == 2 ? new int[] {37, 21} : new int[] {13, 7, 11};
        Grid grid = Grid.of(cells).ghosts(1).type(type);
        double[] expected = run(tree(grid).on(ExecutionTarget.HOST, NEXT));
        int number = 0;
        for (double share : SHARES) {
            for (boolean fuses : new boolean[] {true, false}) {
                Loops.Form form = List.of(Loops.Form.values()).get(number % 4);
                MemoryPlan.Policy policy = List.of(MemoryPlan.Policy.values()).get(number++ % 3);
                ExpressionTree its =
                        tree(grid).fuse(fuses).fields(policy).loops(form).split(ExecutionTarget.EMULATED, share);
                assertArrayEquals(expected, run(its), share + ", " + fuses + ", " + form + ", " + policy);
            }
        }
    }

    /** Returns the bytes that were copied of each data, on each way: in how many copies depends on who was first. */
    private static Map<String, Long> moved(Session session) {
        return session.data().transfers().data().stream()
                .collect(Collectors.toMap(
                        moved -> moved.data() + ": " + moved.from() + " to " + moved.to(), Transfers.Moved::bytes));
    }

    /** Of what both read only layers at the cut move, in each run one: the faces across z that lie there. */
    @Test
    void onlyLayersAtTheCutMove() {
        Grid grid = Grid.of(8, 6, 10).ghosts(1);
        try (Session session = builder().open();
                FieldStore fields = FieldStore.open(session, grid)) {
            set(fields);
            CompiledGraph step = tree(grid)
                    .fields(MemoryPlan.Policy.STATIC)
                    .split(ExecutionTarget.EMULATED, 0.5)
                    .compile(fields);
            long source = (8 + 2) * (6 + 2) * (5 + 1 + 1) * 8; // five layers, one below them, and the ghosts
            long faces = (8 + 2) * (6 + 2) * 8;
            for (long run = 1; run <= 4; run++) {
                step.run();
                assertEquals(
                        Map.of(
                                "T: host to emulated0", source,
                                "k: host to emulated0", source,
                                "flux.z: emulated0 to host", run * faces),
                        moved(session));
            }
            assertArrayEquals(run(tree(grid).on(ExecutionTarget.HOST, NEXT)), fields.values(NEXT));
            assertEquals(
                    (8 + 2) * (6 + 2) * (5 + 1) * 8L,
                    moved(session).get("next: emulated0 to host"),
                    "the upper slab, when it is looked at");
        }
    }

    /** Lanes need rows with padding, which the host's slab has as all of a field has. */
    @Test
    void theHostsSlabIsComputedInLanes() {
        Grid grid = Grid.of(64, 40).ghosts(1);
        try (Session session = builder().open();
                FieldStore fields = FieldStore.open(session, grid)) {
            set(fields);
            tree(grid).split(ExecutionTarget.EMULATED, 0.25).compile(fields).run();
            GridField next = fields.field(NEXT);
            View lower = next.data().part(Box.of(new long[] {0, 0}, new long[] {31, 66}));
            boolean[] isAligned = new boolean[1];
            session.graph()
                    .task("look")
                    .reads(lower)
                    .run(context ->
                            isAligned[0] = context.memory(lower).layout().isAligned())
                    .join();
            assertTrue(isAligned[0]);
        }
    }

    @Test
    void slabsThatAreTooThinAreRefused() {
        Grid grid = Grid.of(8, 10).ghosts(2);
        Stencil wide = Stencil.builder().at(0, 2, 0, 1).at(0, -2, 0, 1).build();
        ExpressionTree tree = Model.of(grid)
                .source(T)
                .define(NEXT, stencil(T, wide).plus(laplacian(T)))
                .tree(NEXT);
        try (Session session = builder().open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(T, (x, y, z) -> x * y);
            tree.split(ExecutionTarget.EMULATED, 0.2).compile(fields).run();
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> tree.split(ExecutionTarget.EMULATED, 0.1).compile(fields)),
                    "leaves the host 9 and emulated0 1 of 10 layers along y",
                    "\"next\" needs at least 2 in each slab",
                    "from 0.2 to 0.8");
            assertThrows(
                    IllegalArgumentException.class,
                    () -> tree.split(ExecutionTarget.EMULATED, 0.95).compile(fields));
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> tree.split(ExecutionTarget.EMULATED, 1)),
                    "above 0 and below 1");
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> tree.split(ExecutionTarget.HOST, 0.5)),
                    "host and host");
            assertMentions(
                    assertThrows(
                            IllegalStateException.class,
                            () -> tree.split(ExecutionTarget.OPENCL, 0.5).compile(fields)),
                    "is assigned to opencl");
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> tree.split(ExecutionTarget.EMULATED, 0.5)
                                    .on(ExecutionTarget.HOST, NEXT)
                                    .compile(fields)),
                    "leave one out");
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> TreeRuns.of(
                                    tree.on(ExecutionTarget.HOST, NEXT).split(ExecutionTarget.EMULATED, 0.5),
                                    fields,
                                    TargetPolicy.roundRobin())),
                    "leave one out");
        }
    }

    /** A split graph goes with its device; the fields are computed again from the sources without it. */
    @Test
    void afterALossTheTreeIsComputedWithoutTheDevice() {
        Grid grid = Grid.of(8, 6, 10).ghosts(1);
        double[] expected = run(tree(grid).on(ExecutionTarget.HOST, NEXT));
        int failed = 0;
        for (int operation = 1; operation < 12; operation++) {
            FaultPlan lost = FaultPlan.NONE.at(FaultPlan.Kind.LOSS, operation);
            try (Session session = Session.builder()
                            .workers(2)
                            .device(EmulatedDevice.offer("emulated0").faults(lost))
                            .open();
                    FieldStore fields = FieldStore.open(session, grid)) {
                set(fields);
                try {
                    tree(grid)
                            .split(ExecutionTarget.EMULATED, 0.5)
                            .compile(fields)
                            .run();
                    fields.values(NEXT);
                } catch (TaskFailedException e) {
                    failed++;
                    assertMentions(e, "lost");
                    tree(grid).on(ExecutionTarget.HOST, NEXT).compile(fields).run();
                }
                assertArrayEquals(expected, fields.values(NEXT), "operation " + operation);
            }
        }
        assertTrue(failed > 5, failed + " failed");
    }

    /** With another device in its place, and then on the host alone, to the same bytes. */
    @ParameterizedTest
    @CsvSource({"1", "2"})
    void runsGoOnByThemselvesAfterALoss(int devices) {
        Grid grid = Grid.of(8, 6, 10).ghosts(1);
        double[] expected = run(tree(grid).on(ExecutionTarget.HOST, NEXT));
        int losses = 0;
        for (int operation = 1; operation < 30; operation++) {
            SessionBuilder builder = Session.builder().workers(2);
            for (int i = 0; i < devices; i++) {
                FaultPlan lost = FaultPlan.NONE.at(FaultPlan.Kind.LOSS, operation);
                builder.device(EmulatedDevice.offer("emulated" + i).faults(lost));
            }
            try (Session session = builder.open();
                    FieldStore fields = FieldStore.open(session, grid)) {
                set(fields);
                TreeRuns runs =
                        TreeRuns.of(tree(grid).split(ExecutionTarget.EMULATED, 0.5), fields, TargetPolicy.roundRobin());
                for (int run = 0; run < 6; run++) {
                    runs.run();
                }
                int before = session.data().faults().lost().size();
                runs.run(); // a device may be found lost behind a run that it did not keep from its end
                int lost = session.data().faults().lost().size();
                losses += lost;
                boolean chose = !runs.targets().isEmpty();
                assertTrue(chose || before < devices, "the policy chooses, operation " + operation);
                assertTrue(!chose || lost == devices, "the policy is not asked before, operation " + operation);
                assertArrayEquals(expected, values(runs, fields), "operation " + operation);
            }
        }
        assertTrue(losses > 10 * devices, losses + " losses");
    }

    private static double[] values(TreeRuns runs, FieldStore fields) {
        try {
            return fields.values(NEXT);
        } catch (TaskFailedException e) { // lost between the run and the look
            runs.run();
            return fields.values(NEXT);
        }
    }

    /** A step that a loss ends begins again: what advances with boundaries is on the host between steps. */
    @ParameterizedTest
    @CsvSource({"1", "2", "3"})
    void stepsInTimeGoOnByThemselvesAfterALoss(int order) {
        Grid grid = Grid.of(9, 12).lengths(1, 1).ghosts(1);
        double[] expected = steps(order, tree(grid).fuse(true));
        int losses = 0;
        for (int operation = 1; operation < 40; operation++) {
            FaultPlan lost = FaultPlan.NONE.at(FaultPlan.Kind.LOSS, operation);
            try (Session session = Session.builder()
                            .workers(2)
                            .device(EmulatedDevice.offer("emulated0").faults(lost))
                            .open();
                    FieldStore fields = FieldStore.open(session, grid)) {
                set(fields);
                Ssp.Of of = method(order, tree(grid).fuse(true).split(ExecutionTarget.EMULATED, 0.5));
                Integrator steps = of.targets(TargetPolicy.host()).compile(fields);
                steps.run(7, 1e-4);
                assertArrayEquals(expected, fields.values(T), "operation " + operation);
                losses += session.data().faults().lost().size();
            }
        }
        assertTrue(losses > 20, losses + " losses");
    }

    @Test
    void randomTreesWithLoopsOfUsersHaveTheirValues() {
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            DrawnModel model = new DrawnModel(random);
            Map<Tag<Cell>, DrawnModel.Known> roots = model.roots(random);
            ExpressionTree tree = model.model
                    .tree(List.copyOf(roots.keySet()))
                    .fuse(random.nextBoolean())
                    .split(ExecutionTarget.EMULATED, 0.42 + 0.16 * random.nextDouble());
            String what = "seed " + seed + "\n" + tree;
            try (Session session = builder().open();
                    FieldStore fields = FieldStore.open(session, tree.grid())) {
                fields.set(DrawnModel.T, (x, y, z) -> DrawnModel.set(x, y));
                CompiledGraph graph = tree.compile(fields);
                graph.run();
                graph.run();
                roots.forEach((tag, its) -> {
                    double[] found = fields.values(tag);
                    for (int y = 0; y < DrawnModel.ROWS; y++) {
                        for (int x = 0; x < DrawnModel.WIDTH; x++) {
                            assertEquals(
                                    its.value().at(x, y),
                                    found[DrawnModel.WIDTH * y + x],
                                    tag + " at " + x + ", " + y + what);
                        }
                    }
                });
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "3"})
    void stepsInTimeAreSplit(int order) {
        Grid grid = Grid.of(9, 12).lengths(1, 1).ghosts(1);
        double[] expected = steps(order, tree(grid).fuse(true));
        for (double share : SHARES) {
            assertArrayEquals(expected, steps(order, tree(grid).fuse(true).split(ExecutionTarget.EMULATED, share)));
        }
    }

    private static double[] steps(int order, ExpressionTree tree) {
        try (Session session = builder().open();
                FieldStore fields = FieldStore.open(session, tree.grid())) {
            set(fields);
            Integrator steps = method(order, tree).compile(fields);
            steps.run(7, 1e-4);
            return fields.values(T);
        }
    }

    private static Ssp.Of method(int order, ExpressionTree tree) {
        Ssp.Of of = Ssp.order(order).advance(T, RATE).of(tree);
        for (Side side : List.of(Side.X_LOW, Side.X_HIGH, Side.Y_LOW, Side.Y_HIGH)) {
            of = of.boundary(T, side, Boundaries.Condition.neumann(0.5));
        }
        return of;
    }
}
