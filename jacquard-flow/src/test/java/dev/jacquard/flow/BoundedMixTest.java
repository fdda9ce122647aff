package dev.jacquard.flow;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.session.Session;
import dev.jacquard.engine.Workers;
import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.flow.testing.ThreadedWorkers;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bounded edges together with edges by type, ordered copies, queues of the user's, and routed tasks. */
@Timeout(180)
class BoundedMixTest {
    private static final int SEEDS = 60;
    private static final int ITEMS = 60;

    private static FlowTask<Integer, Integer> same(FlowBuilder<Integer, Integer> g, String name) {
        return g.<Integer, Integer>task(name, 1, () -> (n, out) -> out.emit(n)).types(int.class, int.class);
    }

    /** Emits up to two numbers for each, even ones as integers, odd ones as longs. */
    private static void split(int n, Emitter<Number> out) {
        for (int i = 0; i < n % 3; i++) {
            if ((n + i) % 2 == 0) {
                out.emit(n + i);
            } else {
                out.emit((long) n + i);
            }
        }
    }

    private static FlowTask<Integer, Number> split(FlowBuilder<?, ?> g) {
        return g.<Integer, Number>task("split", 2, () -> BoundedMixTest::split)
                .types(Integer.class, Number.class)
                .emits(0, 2);
    }

    private static FlowTask<Number, Number> end(FlowBuilder<?, ?> g, String name) {
        return g.<Number, Number>task(name, 1, () -> (n, out) -> out.emit(n))
                .types(Number.class, Number.class)
                .emits(1)
                .oneByOne();
    }

    private static <B> FlowProfile run(FlowGraph<Integer, B> graph, Workers workers, List<B> into) {
        try (FlowRun<Integer, B> run = graph.start(workers)) {
            run.sendAll(FlowTest.numbers(ITEMS));
            run.finish();
            run.forEach(into::add);
            RandomFlow.checkNothingIsLost(run);
            assertEquals(FlowReport.Outcome.DONE, run.report().outcome());
            return run.profile();
        }
    }

    private static void assertBounded(FlowProfile profile, String task, int bound) {
        long largest = profile.task(task).orElseThrow().largestQueue();
        assertTrue(largest <= bound, profile::toText);
    }

    // ---- by type

    @Test
    void edgesByTypeHaveABoundEach() {
        FlowGraph<Integer, Number> graph = FlowGraph.build("typed", g -> {
            FlowTask<Integer, Number> split = split(g);
            g.input().to(split);
            split.only(Integer.class).to(end(g, "even"), 2).to(g.output());
            split.only(Long.class).to(end(g, "odd"), 3).to(g.output());
            split.<Number>as(n -> -n.longValue()).to(end(g, "negative"), 2).to(g.output());
        });
        assertTrue(graph.check().isFine(), graph.check().toString());
        assertTrue(graph.prove().isProved(), graph.prove().toString());
        for (long seed = 0; seed < SEEDS; seed++) {
            List<Number> results = new ArrayList<>();
            FlowProfile profile = run(graph, new SeededWorkers(seed), results);
            assertEquals(ITEMS * 2, results.size());
            assertBounded(profile, "even", 2);
            assertBounded(profile, "odd", 3);
            assertBounded(profile, "negative", 2);
            assertEquals(profile, FlowProfile.ofJson(profile.toJson()));
        }
    }

    /** Both edges lead to one task: the items of each have their own room. */
    @Test
    void edgesByTypeToOneTaskHaveTheirOwnRoom() {
        FlowGraph<Integer, Number> graph = FlowGraph.build("typed", g -> {
            FlowTask<Integer, Number> split = split(g);
            FlowTask<Number, Number> all = end(g, "all");
            g.input().to(split);
            split.only(Integer.class).to(all, 2);
            split.only(Long.class).to(all, 3).to(g.output());
        });
        assertEquals(
                List.of("split (Integer) -> all", "split (Long) -> all"),
                graph.prove().memories().stream().map(its -> its.name()).toList());
        for (long seed = 0; seed < SEEDS; seed++) {
            List<Number> results = new ArrayList<>();
            assertBounded(run(graph, new SeededWorkers(seed), results), "all", 5);
            assertEquals(ITEMS, results.size());
        }
    }

    @Test
    void anEdgeByTypeNeedsRoomForAllItems() {
        FlowGraph<Integer, Number> graph = FlowGraph.build("typed", g -> {
            FlowTask<Integer, Number> split = split(g);
            g.input().to(split);
            split.only(Integer.class).to(end(g, "even"), 1).to(g.output());
            split.only(Long.class).to(end(g, "odd")).to(g.output());
        });
        assertMentions(
                assertThrows(IllegalStateException.class, () -> graph.start(new SeededWorkers(1))),
                "edge \"split (Integer) -> even\" has a bound of 1, and task \"split\" may emit 2 items per item: make it"
                        + " at least 2");
    }

    /** The dry run plays the same edges. */
    @Test
    void aDryRunPlaysEdgesByType() {
        FlowGraph<Integer, Number> graph = FlowGraph.build("typed", g -> {
            FlowTask<Integer, Number> split = split(g).dry((n, out) -> split(n, out));
            g.input().to(split);
            split.only(Integer.class)
                    .to(end(g, "even").dry((n, out) -> out.emit(n)), 2)
                    .to(g.output());
            split.only(Long.class)
                    .to(end(g, "odd").dry((n, out) -> out.emit(n)), 3)
                    .to(g.output());
        });
        assertTrue(
                graph.check(FlowTest.numbers(ITEMS)).isFine(),
                () -> graph.check(FlowTest.numbers(ITEMS)).toString());
    }

    // ---- ordered copies

    private static FlowGraph<Integer, Integer> ordered(UnaryOperator<FlowTask<Integer, Integer>> option) {
        return FlowGraph.build("ordered", g -> {
            FlowTask<Integer, Integer> work = g.<Integer, Integer>task("work", 4, () -> (n, out) -> {
                        if (n % 5 == 4) {
                            throw new IllegalArgumentException("no fives");
                        }
                        for (int i = 0; i < n % 3; i++) {
                            out.emit(n);
                        }
                    })
                    .types(int.class, int.class)
                    .emits(0, 2)
                    .ordered();
            work.onError((n, failure, out) -> out.emit(n));
            g.input().to(option.apply(work)).to(same(g, "end").oneByOne(), 2).to(g.output());
        });
    }

    private static List<Integer> expected() {
        List<Integer> all = new ArrayList<>();
        for (int n = 0; n < ITEMS; n++) {
            for (int i = 0; i < (n % 5 == 4 ? 1 : n % 3); i++) {
                all.add(n);
            }
        }
        return all;
    }

    @Test
    void orderedCopiesSendAlongABoundedEdge() {
        FlowGraph<Integer, Integer> plain = ordered(task -> task);
        for (long seed = 0; seed < SEEDS; seed++) {
            List<Integer> results = new ArrayList<>();
            assertBounded(run(plain, new SeededWorkers(seed), results), "end", 2);
            assertEquals(expected(), results, "seed " + seed);
        }
        for (FlowGraph<Integer, Integer> graph :
                List.of(plain, ordered(FlowTask::dedicated), ordered(task -> task.inFlight(1)))) {
            assertTrue(graph.prove().isProved(), graph.prove().toString());
            try (ThreadedWorkers workers = new ThreadedWorkers(4)) {
                for (int i = 0; i < SEEDS; i++) {
                    List<Integer> results = new ArrayList<>();
                    assertBounded(run(graph, workers, results), "end", 2);
                    assertEquals(expected(), results);
                }
            }
        }
    }

    /** An item keeps the slots for what it emits later, and for results that wait for its turn. */
    @Test
    void orderedItemsWithTasksOfTheEngineKeepTheirSlots() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("engine", g -> {
            FlowTask<Integer, Integer> work = g.<Integer, Integer>task("work", 3, () -> (n, out) -> {
                        if (n % 2 == 0) {
                            out.graph().task("nothing").run(ctx -> {});
                            out.whenDone(last -> last.emit(n));
                        } else {
                            out.emit(n);
                        }
                    })
                    .types(int.class, int.class)
                    .emits(0, 2);
            g.input().to(work.ordered()).to(same(g, "end").oneByOne(), 4).to(g.output());
        });
        try (Session session = Session.open()) {
            for (int i = 0; i < SEEDS; i++) {
                try (FlowRun<Integer, Integer> run = graph.start(session)) {
                    run.sendAll(FlowTest.numbers(ITEMS));
                    run.finish();
                    List<Integer> results = new ArrayList<>();
                    run.forEach(results::add);
                    assertEquals(FlowTest.numbers(ITEMS), results);
                    RandomFlow.checkNothingIsLost(run);
                    assertBounded(run.profile(), "end", 4);
                }
            }
        }
    }

    // ---- queues of the user's

    @Test
    void droppedAndMergedItemsGiveTheirSlotsBack() {
        for (int bound = 1; bound < 8; bound += 3) {
            int room = bound;
            FlowGraph<Integer, Integer> newest = FlowGraph.build(
                    "newest",
                    g -> g.input()
                            .to(same(g, "from").emits(1))
                            .to(same(g, "to").queue(() -> new WaitingItemsTest.Newest<>(2)), room)
                            .to(g.output()));
            FlowGraph<Integer, Integer> sums = FlowGraph.build(
                    "sums",
                    g -> g.input()
                            .to(same(g, "from").emits(1))
                            .to(same(g, "to").queue(WaitingItemsTest.Sums::new), room)
                            .to(g.output()));
            for (long seed = 0; seed < SEEDS; seed++) {
                for (FlowGraph<Integer, Integer> graph : List.of(newest, sums)) {
                    List<Integer> results = new ArrayList<>();
                    FlowProfile profile = run(graph, new SeededWorkers(seed), results);
                    assertBounded(profile, "to", room);
                }
            }
        }
    }

    @Test
    void aTaskWithAQueueHasNoBoundedEdge() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "queue",
                g -> g.input()
                        .to(same(g, "from").emits(1).queue(() -> new WaitingItemsTest.Newest<>(2)))
                        .to(same(g, "to"), 3)
                        .to(g.output()));
        assertMentions(
                assertThrows(IllegalStateException.class, () -> graph.start(new SeededWorkers(1))),
                "task \"from\" has a queue, and takes buffers");
    }

    // ---- routed tasks

    @Test
    void routedItemsGiveTheirSlotsBack() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "routed",
                g -> g.input()
                        .to(same(g, "from").emits(1))
                        .to(
                                g.<Integer, Integer>task("to", 2, () -> (n, out) -> out.emit(n))
                                        .types(int.class, int.class)
                                        .on(ExecutionTarget.EMULATED, ExecutionTarget.HOST)
                                        .byMeasuredTime()
                                        .emits(1),
                                2)
                        .to(same(g, "last"), 2)
                        .to(g.output()));
        for (int workers : new int[] {1, 3}) {
            try (Session session = Session.builder()
                            .workers(workers)
                            .device(EmulatedDevice.offer("emulated0"), 1L << 20)
                            .open();
                    FlowRun<Integer, Integer> run = graph.start(session)) {
                run.sendAll(FlowTest.numbers(ITEMS));
                run.finish();
                List<Integer> results = new ArrayList<>();
                run.forEach(results::add);
                results.sort(null);
                assertEquals(FlowTest.numbers(ITEMS), results);
                RandomFlow.checkNothingIsLost(run);
                assertBounded(run.profile(), "to", 2);
            }
        }
    }

    // ---- pipelines

    @Test
    void eachCopyOfAPipelineHasItsBounds() {
        FlowGraph<Integer, Integer> copy = FlowGraph.build(
                "copy",
                g -> g.input()
                        .to(same(g, "from").emits(1))
                        .to(same(g, "to").emits(1).oneByOne(), 2)
                        .to(g.output()));
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "copies",
                g -> g.input()
                        .to(g.pipeline("copies", copy, 4))
                        .to(same(g, "last").oneByOne(), 3)
                        .to(g.output()));
        assertTrue(graph.prove().isProved(), graph.prove().toString());
        assertEquals(5, graph.prove().memories().size());
        for (long seed = 0; seed < SEEDS; seed++) {
            List<Integer> results = new ArrayList<>();
            FlowProfile profile = run(graph, new SeededWorkers(seed), results);
            assertEquals(ITEMS, results.size());
            assertBounded(profile, "last", 3);
            assertBounded(profile, "copies#2/to", 2);
        }
    }
}
