package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Functions.exp;
import static dev.jacquard.expressions.language.Operators.laplacian;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.Scheduler;
import dev.jacquard.core.session.Session;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.MemoryPlan.Policy;
import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Schedulers of trees: the order of expressions, and that nothing else depends on them. */
@Timeout(180)
class SchedulersTest {
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Grid GRID = Grid.of(48, 40, 24).ghosts(1);

    private final AtomicLong now = new AtomicLong();
    private final List<String> ran = new ArrayList<>();

    /** Defines a field by a loop of the user's that takes some time. */
    private void define(Model model, Tag<Cell> tag, long nanos, Tag<?>... reads) {
        Expression expression = bindings -> {
            bindings.computes(tag);
            return run -> {
                now.addAndGet(nanos);
                ran.add(tag.name());
            };
        };
        model.define(expression, dependents -> {
            for (Tag<?> read : reads) {
                dependents.reads(read);
            }
            dependents.computes(tag);
        });
    }

    /** Six expressions side by side, one of which two others need; and one that needs all. */
    private ExpressionTree tree() {
        Model model = Model.of(Grid.of(4)).source(T);
        Tag<Cell> end = Tag.cell("end");
        List<Tag<Cell>> sides = Tag.cells("side", 4);
        Tag<Cell> needed = Tag.cell("needed");
        Tag<Cell> behind = Tag.cell("behind");
        for (int i = 0; i < sides.size(); i++) {
            define(model, sides.get(i), 1_000L * (1 + i % 2 * 9), T);
        }
        define(model, needed, 3_000, T);
        define(model, behind, 1_000, needed);
        define(model, end, 1_000, sides.get(0), sides.get(1), sides.get(2), sides.get(3), needed, behind);
        return model.tree(end).fields(Policy.STATIC);
    }

    private List<String> order(Scheduler scheduler, int runs) {
        ExpressionTree tree = tree().scheduler(scheduler);
        try (Session session = Session.builder().workers(1).clock(now::get).open();
                FieldStore fields = FieldStore.open(session, Grid.of(4))) {
            fields.set(T, (x, y, z) -> 0);
            CompiledGraph graph = tree.compile(fields);
            for (int i = 0; i < runs; i++) {
                ran.clear();
                graph.run();
            }
            return List.copyOf(ran);
        }
    }

    /** At first depth and consumers decide; times that were measured say that odd sides take long. */
    @Test
    void prioritiesFollowTheGraphAndThenTheMeasuredTimes() {
        List<String> first = order(Scheduler.PRIORITY, 1);
        assertEquals("needed", first.getFirst());
        assertEquals(List.of("behind", "end"), first.subList(5, 7));
        assertTrue(first.indexOf("side 0") < first.indexOf("side 1"), first::toString);
        assertTrue(first.indexOf("side 2") < first.indexOf("side 3"), first::toString);
        List<String> later = order(Scheduler.PRIORITY, 3);
        assertEquals(List.of("side 1", "side 3", "needed"), later.subList(0, 3));
        assertEquals(List.of("side 0", "side 2", "behind", "end"), later.subList(3, 7));
    }

    @Test
    void topologicalIsTheOrderOfTheTree() {
        List<String> names = tree().fates().keySet().stream().map(Tag::name).toList();
        assertEquals(7, names.size());
        assertEquals(order(Scheduler.TOPOLOGICAL, 1), order(Scheduler.TOPOLOGICAL, 3));
        assertEquals(Set.copyOf(names), Set.copyOf(ran));
    }

    /** The user's own: by name, backwards. */
    private static final class Backwards implements Scheduler {
        private final List<String> finished = new ArrayList<>();

        @Override
        public String name() {
            return "backwards";
        }

        @Override
        public Schedule schedule(GraphSnapshot graph) {
            Deque<ReadyTask> ready = new ArrayDeque<>();
            return new Dynamic() {
                @Override
                public void push(ReadyTask task) {
                    ready.add(task);
                }

                @Override
                public @Nullable ReadyTask pop(int worker) {
                    ReadyTask next = ready.stream()
                            .max((one, other) -> one.name().compareTo(other.name()))
                            .orElse(null);
                    ready.remove(next);
                    return next;
                }

                @Override
                public void finished(ReadyTask task) {
                    finished.add(task.name());
                }
            };
        }
    }

    @Test
    void aUsersSchedulerOrdersExpressionsAndIsToldOfEach() {
        Backwards backwards = new Backwards();
        List<String> names = order(backwards, 1);
        assertEquals(List.of("side 3", "side 2", "side 1", "side 0", "needed", "behind", "end"), names);
        assertEquals(names, backwards.finished);
    }

    // ---- several trees

    private static ExpressionTree coupled(int number) {
        Model model = Model.of(GRID).source(T);
        List<Tag<Cell>> all = Tag.cells("a", 6);
        Tag<Cell> sum = Tag.cell("sum");
        for (int i = 0; i < all.size(); i++) {
            model.define(all.get(i), exp(T.times(0.1 * (i + number))).plus(laplacian(T)));
        }
        model.define(
                sum,
                all.stream()
                        .map(tag -> tag.times(tag))
                        .reduce((a, b) -> a.plus(b))
                        .orElseThrow());
        model.define(T_NEXT, T.plus(sum.times(1e-6)));
        return model.tree(T_NEXT).fuse(false).loops(Loops.Form.PLAIN);
    }

    private static final Tag<Cell> T_NEXT = Tag.cell("T next");

    private static double[] run(Session session, int number, @Nullable Scheduler scheduler, Runnable before) {
        ExpressionTree tree =
                scheduler == null ? coupled(number) : coupled(number).scheduler(scheduler);
        try (FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(T, (x, y, z) -> Math.sin(x + number) * Math.cos(y) + z);
            CompiledGraph step = tree.compile(fields);
            before.run();
            for (int i = 0; i < 6; i++) {
                step.run();
            }
            return fields.values(T_NEXT);
        }
    }

    @Test
    void severalTreesShareTheWorkers() throws InterruptedException {
        Map<Integer, @Nullable Scheduler> schedulers = Map.of(0, Scheduler.PRIORITY, 1, Scheduler.TOPOLOGICAL);
        double[][] alone = new double[3][];
        double[][] together = new double[3][];
        for (int i = 0; i < 3; i++) {
            try (Session session = Session.builder().workers(1).open()) {
                alone[i] = run(session, i, null, () -> {});
            }
        }
        for (int round = 0; round < 2; round++) {
            CountDownLatch ready = new CountDownLatch(3);
            try (Session session = Session.builder().workers(3).open()) {
                Thread[] threads = new Thread[3];
                for (int i = 0; i < 3; i++) {
                    int number = i;
                    threads[i] = Thread.ofPlatform()
                            .start(() -> together[number] = run(session, number, schedulers.get(number), () -> {
                                ready.countDown();
                                Watchdog.await(ready, "all trees");
                            }));
                }
                for (Thread thread : threads) {
                    thread.join();
                }
            }
            for (int i = 0; i < 3; i++) {
                assertArrayEquals(alone[i], together[i]);
            }
        }
    }
}
