package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.grad;
import static dev.jacquard.expressions.language.Operators.laplacian;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.targets.TargetPolicy;
import dev.jacquard.memory.coherence.Transfers;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Trees whose expressions are assigned to targets, by the user and by policies. */
@Timeout(180)
class AssignedTreesTest {
    static final Grid GRID = Grid.of(20, 10).ghosts(1);
    static final ExecutionTarget ONE = ExecutionTarget.named("emulated0");
    static final ExecutionTarget TWO = ExecutionTarget.named("emulated1");
    static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Cell> BEND = Tag.cell("bend");
    static final Tag<Cell> TWICE = Tag.cell("twice");
    private static final Tag<Cell> SQUARE = Tag.cell("square");
    static final Tag<Cell> SUM = Tag.cell("sum");

    /** Bend, twice and square are a path; the sum reads its end and its begin. */
    static ExpressionTree tree() {
        return Model.of(GRID)
                .source(T)
                .define(BEND, laplacian(T))
                .define(TWICE, BEND.times(2))
                .define(SQUARE, TWICE.times(TWICE))
                .define(SUM, SQUARE.plus(T))
                .tree(SUM)
                .fuse(false);
    }

    static SessionBuilder builder() {
        return Session.builder()
                .workers(2)
                .device(EmulatedDevice.offer("emulated0"))
                .device(EmulatedDevice.offer("emulated1"));
    }

    static void set(FieldStore fields) {
        fields.set(T, (x, y, z) -> Math.sin(x) * Math.cos(2 * y));
    }

    static double[] expected() {
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            tree().compile(fields).run();
            return fields.values(SUM);
        }
    }

    /** Returns the copies so far of each data on each way. */
    private static Map<String, Long> copies(Session session) {
        return session.data().transfers().data().stream()
                .collect(Collectors.toMap(
                        moved -> moved.data() + ": " + moved.from() + " to " + moved.to(), Transfers.Moved::copies));
    }

    /** All expressions of a run have the same T, also where each is measured. */
    @Test
    void noOtherGraphRunsAmongTheExpressionsOfARun() {
        for (TargetPolicy policy : List.of(TargetPolicy.hybrid(), TargetPolicy.roundRobin())) {
            try (Session session = builder().open();
                    FieldStore fields = FieldStore.open(session, GRID)) {
                fields.set(T, (x, y, z) -> 1);
                CompiledGraph other = session.record(
                        graph -> Assignment.of(fields, T, T.plus(1)).submit(graph));
                ExpressionTree tree = Model.of(GRID)
                        .source(T)
                        .define(new HookedLoop(GRID, T, 2, TWICE, () -> other.start((worker, failure) -> {})))
                        .define(SQUARE, T.times(T))
                        .define(SUM, TWICE.plus(SQUARE))
                        .tree(SUM)
                        .fuse(false);
                TreeRuns runs = TreeRuns.of(tree, fields, policy);
                for (int run = 1; run <= 8; run++) {
                    runs.run();
                    other.join();
                    assertEquals(2 * run + run * run, fields.max(SUM), policy + ", run " + run);
                }
            }
        }
    }

    @Test
    void whatIsReadElsewhereIsBroughtThereBehindItsProducer() {
        try (Session session = builder().open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            ExpressionTree tree = tree().fields(MemoryPlan.Policy.STATIC)
                    .on(ONE, BEND, TWICE)
                    .on(TWO, SQUARE)
                    .on(ExecutionTarget.HOST, SUM);
            CompiledGraph step = tree.compile(fields);
            assertEquals(
                    List.of(
                            "prefetch T",
                            "prefetch T",
                            "bend",
                            "twice",
                            "prefetch twice",
                            "square",
                            "prefetch square",
                            "sum"),
                    step.names());
            for (int run = 1; run <= 3; run++) {
                step.run();
                assertEquals(
                        Map.of(
                                "T: host to emulated0", 1L,
                                "twice: emulated0 to emulated1", (long) run,
                                "square: emulated1 to host", (long) run),
                        copies(session));
            }
            assertArrayEquals(expected(), fields.values(SUM));
            assertEquals(7, session.data().transfers().copies(), "nothing else was fetched");
        }
    }

    /** A task that reads what was brought waits for that, and not for its own fetch. */
    @Test
    void whoReadsWhatIsBroughtComesBehindThat() {
        try (Session session = builder().open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            CompiledGraph step = tree().keep(BEND).on(ONE, BEND).on(TWO, TWICE).compile(fields);
            int ahead = step.names().indexOf("prefetch bend");
            int reader = step.names().indexOf("twice");
            assertTrue(ahead > 0 && reader > ahead, step.names()::toString);
            assertEquals(reader, step.successors(ahead)[0]);
        }
    }

    @Test
    void whatOneLoopComputesHasOneTarget() {
        try (Session session = builder().open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            ExpressionTree fused = tree().fuse(true);
            fused.on(ONE, SQUARE).compile(fields).run();
            assertEquals(1, session.data().transfers().copies());
            assertArrayEquals(expected(), fields.values(SUM));
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> fused.on(ONE, SQUARE).on(TWO, SUM).compile(fields)),
                    "one loop computes [sum, square]",
                    "[emulated1, emulated0]");
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> fused.on(ONE, T)),
                    "computes no \"T\" that it could assign to emulated0");
            assertMentions(
                    assertThrows(
                            IllegalStateException.class,
                            () -> fused.on(ExecutionTarget.CUDA, SUM).compile(fields)),
                    "\"sum\" is assigned to cuda",
                    "[host, emulated0, emulated1]");
        }
    }

    @Test
    void aChangedAssignmentRecordsAgain() {
        double[] expected = expected();
        try (Session session = builder().open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            TreeRuns runs = TreeRuns.of(tree(), fields, TargetPolicy.roundRobin());
            assertEquals(Map.of(), runs.targets());
            runs.run();
            assertEquals(
                    Map.of(BEND, ExecutionTarget.HOST, TWICE, ONE, SQUARE, TWO, SUM, ExecutionTarget.HOST),
                    runs.targets());
            assertArrayEquals(expected, fields.values(SUM));
            assertEquals(4, runs.explain().lines().count());
            TargetPolicy back = step -> new TargetPolicy.Choice(
                    step.works().stream().map(work -> work.eligible().getLast()).toList(),
                    step.works().stream().map(TargetPolicy.Work::name).toList());
            runs.policy(back);
            fields.set(T, (x, y, z) -> 0);
            runs.run();
            assertEquals(Set.of(TWO), Set.copyOf(runs.targets().values()));
            assertEquals(List.of("T to emulated1"), runs.prefetches());
            assertEquals(0, fields.max(SUM));
        }
    }

    /** Each expression runs twice on each target in the first steps, which compute all. */
    @Test
    void hybridMeasuresFirst() {
        double[] expected = expected();
        try (Session session = builder().open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            TreeRuns runs = TreeRuns.of(tree(), fields, TargetPolicy.hybrid());
            for (int run = 0; run < 3 * 2; run++) {
                fields.set(SUM, (x, y, z) -> 0);
                runs.run();
                assertArrayEquals(expected, fields.values(SUM));
                assertEquals(Map.of(), runs.targets(), "not before all are measured");
            }
            runs.run();
            assertEquals(Set.of(BEND, TWICE, SQUARE, SUM), runs.targets().keySet());
            assertArrayEquals(expected, fields.values(SUM));
        }
    }

    /** By the times that a policy is told, the path is best on two devices; it goes to one, and nothing moves on it. */
    @Test
    void nothingMovesOnAPathOfDevices() {
        Map<String, Map<ExecutionTarget, Double>> nanos = Map.of(
                "bend", Map.of(ExecutionTarget.HOST, 9e9, ONE, 1e9, TWO, 3e9),
                "twice", Map.of(ExecutionTarget.HOST, 9e9, ONE, 3e9, TWO, 1e9),
                "square", Map.of(ExecutionTarget.HOST, 9e9, ONE, 1e9, TWO, 2.9e9),
                "sum", Map.of(ExecutionTarget.HOST, 9e9, ONE, 1e9, TWO, 3e9));
        TargetPolicy timed = step -> TargetPolicy.hybrid()
                .choose(new TargetPolicy.Step(
                        step.works().stream()
                                .map(work -> new TargetPolicy.Work(
                                        work.name(),
                                        work.eligible(),
                                        nanos.getOrDefault(work.name(), Map.of()),
                                        work.reads(),
                                        work.writes()))
                                .toList(),
                        step.values(),
                        step.copies(),
                        step.memory()));
        try (Session session = builder().open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            TreeRuns runs = TreeRuns.of(tree().fields(MemoryPlan.Policy.STATIC), fields, timed);
            for (int run = 0; run < 3; run++) {
                runs.run();
            }
            assertEquals(Set.of(ONE), Set.copyOf(runs.targets().values()), runs::explain);
            assertEquals(Map.of("T: host to emulated0", 1L), copies(session));
            assertArrayEquals(expected(), fields.values(SUM));
        }
    }

    @Test
    void devicesWithoutRoomAreNotEligible() {
        long limit = 2 * 22 * 12 * 8;
        try (Session session = Session.builder()
                        .workers(2)
                        .device(EmulatedDevice.offer("emulated0"), limit)
                        .open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            TreeRuns runs = TreeRuns.of(tree(), fields, TargetPolicy.hybrid());
            for (int run = 0; run < 6; run++) {
                runs.run();
            }
            assertEquals(
                    Map.of(
                            "bend", List.of(ExecutionTarget.HOST, ONE),
                            "twice", List.of(ExecutionTarget.HOST, ONE),
                            "square", List.of(ExecutionTarget.HOST, ONE),
                            "sum", List.of(ExecutionTarget.HOST)), // reads two fields and writes one
                    runs.eligible());
            assertArrayEquals(expected(), fields.values(SUM));
            session.data().transfers().spaces().forEach(space -> assertTrue(space.peak() <= space.limit(), space + ""));
        }
    }

    @Test
    void loopsOfTheUsersStayOnTheHost() {
        try (Session session = builder().open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            Model model = Model.of(GRID).source(T).define(SUM, BEND.plus(1));
            model.define(
                    bindings -> {
                        Expression.Values from = bindings.reads(T);
                        Expression.Results to = bindings.computes(BEND);
                        return run -> run.parallel(to.interior(), part -> {
                            for (int y = part.y0(); y < part.y1(); y++) {
                                for (int x = part.x0(); x < part.x1(); x++) {
                                    to.set(x, y, 0, 2 * from.get(x, y, 0));
                                }
                            }
                        });
                    },
                    dependents -> dependents.reads(T).computes(BEND));
            TreeRuns runs = TreeRuns.of(model.tree(SUM), fields, TargetPolicy.roundRobin());
            runs.run();
            assertEquals(Map.of(BEND, ExecutionTarget.HOST, SUM, ONE), runs.targets());
            assertEquals(List.of("T to host", "bend to emulated0"), runs.prefetches());
            assertEquals(2 * fields.max(T) + 1, fields.max(SUM));
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> model.tree(SUM).on(ONE, BEND).compile(fields)),
                    "has a loop for the host alone");
            fields.live(ONE, BEND);
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> model.tree(SUM).compile(fields)),
                    "\"bend\" lives on " + ONE,
                    "FieldStore.live(ExecutionTarget.HOST");
        }
    }

    @Test
    void anAnswerThatIsNotEligibleIsRefused() {
        try (Session session = builder().open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            TreeRuns runs = TreeRuns.of(
                    tree(),
                    fields,
                    step -> new TargetPolicy.Choice(
                            step.works().stream()
                                    .map(work -> ExecutionTarget.CUDA)
                                    .toList(),
                            step.works().stream().map(work -> "fast").toList()));
            assertMentions(assertThrows(IllegalStateException.class, runs::run), "a policy chose cuda for \"bend\"");
        }
    }

    /** Faces are three loops of one expression, which have one target. */
    @Test
    void componentsOfAVectorAreTogether() {
        Grid grid = Grid.of(6, 5, 4).ghosts(1);
        Tag<Faces> flux = Tag.faces("flux");
        try (Session session = builder().open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(T, (x, y, z) -> x * y + z * z);
            ExpressionTree tree = Model.of(grid)
                    .source(T)
                    .define(flux, grad(T).times(0.5))
                    .define(SUM, div(flux))
                    .tree(SUM)
                    .fuse(false);
            tree.on(ExecutionTarget.HOST, SUM).compile(fields).run();
            double[] expected = fields.values(SUM);
            long before = session.data().transfers().copies();
            CompiledGraph step = tree.on(ONE, flux).on(TWO, SUM).compile(fields);
            step.run();
            assertEquals(1 + 3, session.data().transfers().copies() - before);
            assertArrayEquals(expected, fields.values(SUM));
        }
    }
}
