package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.engine.Workers;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Rule;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pools that are enough for one item after the other are enough, in whatever order the tasks run. */
@Timeout(120)
class TicketTest {
    private static final int RUNS = 1_000;
    private static final int ITEMS = 24;

    private record Held(Handle<int[]> buffer, int number) {}

    /** Each item holds a buffer of the edge while it waits for another of the same. */
    private static FlowGraph<Integer, Integer> twoTakes(int pool, int spread) {
        return FlowGraph.build("two takes", g -> {
            MemoryEdge<int[]> edge = g.memory("buffers", pool, () -> new int[1]);
            FlowTask<Integer, Integer> all = g.task("spread", 2, () -> (n, out) -> {
                for (int i = 0; i < spread; i++) {
                    out.emit(n);
                }
            });
            FlowTask<Integer, Held> a = g.task("a", 2, () -> (n, out) -> out.emit(new Held(out.take(edge), n)));
            FlowTask<Held, Held> between = g.task("between", 3, () -> (held, out) -> out.emit(held));
            FlowTask<Held, Integer> b = g.task("b", 1, () -> (held, out) -> {
                out.release(out.take(edge));
                out.release(held.buffer());
                out.emit(held.number());
            });
            g.input()
                    .to(all)
                    .to(a.takes(edge))
                    .to(between)
                    .to(b.takes(edge).releases(edge))
                    .to(g.output());
        });
    }

    /** Each item and its left neighbour make a pair, and a buffer is free after the pairs that its item is in. */
    @SuppressWarnings("ThreadPriorityCheck") // items are to come in another order
    private static FlowGraph<Integer, Integer> row(int pool) {
        return FlowGraph.build("row", g -> {
            MemoryEdge<int[]> edge = g.memory("tiles", pool, () -> new int[1]);
            FlowTask<Integer, Integer> decode = g.task("decode", 4, () -> (n, out) -> {
                if (n % 3 == 0) {
                    Thread.yield();
                }
                out.emit(n);
            });
            FlowTask<Integer, Held> load = g.task("load", 2, () -> (n, out) -> {
                int uses = n == 0 || n == ITEMS - 1 ? 1 : 2;
                out.emit(new Held(out.take(edge, ReleaseRule.after(uses)), n));
            });
            Bookkeeper<Held> neighbours = g.bookkeeper("neighbours");
            FlowTask<List<Held>, Integer> pair = g.task("pair", 1, () -> (two, out) -> {
                two.forEach(held -> out.release(held.buffer()));
                out.emit(1);
            });
            g.input().to(decode).to(load.takes(edge)).to(neighbours);
            neighbours.rulePerRun(Neighbours::new).to(pair.releases(edge)).to(g.output());
        });
    }

    private static final class Neighbours implements Rule<Held, List<Held>> {
        private final Map<Integer, Held> seen = new HashMap<>();

        @Override
        public void apply(Held here, int pipeline, Emitter<List<Held>> out) {
            seen.put(here.number(), here);
            for (int near : List.of(here.number() - 1, here.number() + 1)) {
                Held there = seen.get(near);
                if (there != null) {
                    out.emit(List.of(there, here));
                }
            }
        }
    }

    private static int results(FlowGraph<Integer, Integer> graph, Workers workers) {
        try (FlowRun<Integer, Integer> run = graph.start(workers)) {
            run.sendAll(IntStream.range(0, ITEMS).boxed().toList());
            run.finish();
            int results = 0;
            for (int result : run) {
                results += result >= 0 ? 1 : 0;
            }
            return results;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void twoTasksThatTakeOfOneEdgeNeedTwoBuffers(int workers) {
        try (Session session = Session.builder().workers(workers).open()) {
            for (int i = 0; i < RUNS; i++) {
                assertEquals(ITEMS, results(twoTakes(2, 1), session.executor()));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void neighboursOfARowNeedTwoBuffers(int workers) {
        try (Session session = Session.builder().workers(workers).open()) {
            for (int i = 0; i < RUNS; i++) {
                assertEquals(ITEMS - 1, results(row(2), session.executor()));
            }
        }
    }

    @Test
    void anyOrderOfActivationsEndsWithAnyPoolThatIsEnough() {
        for (long seed = 0; seed < RUNS; seed++) {
            int pool = 2 + (int) (seed % 4);
            assertEquals(ITEMS, results(twoTakes(pool, 1), new SeededWorkers(seed)), "seed " + seed);
            assertEquals(ITEMS - 1, results(row(pool), new SeededWorkers(seed)), "seed " + seed);
        }
    }

    @Test
    void whatOneItemLeadsToTakesItsTurnsFurthestDownFirst() {
        for (long seed = 0; seed < RUNS; seed++) {
            assertEquals(5 * ITEMS, results(twoTakes(2, 5), new SeededWorkers(seed)), "seed " + seed);
        }
    }

    /** With the smallest size stated, the buffers beyond it are lent ahead: the run uses more than two. */
    @Test
    void buffersBeyondTheSmallestSizeAreLentAhead() {
        int most = 0;
        for (long seed = 0; seed < 50; seed++) {
            FlowGraph<Integer, Integer> graph = FlowGraph.build("ahead", g -> {
                MemoryEdge<int[]> edge =
                        g.memory("buffers", 8, () -> new int[1]).atLeast(2, "one of each task");
                FlowTask<Integer, Held> a = g.task("a", 1, () -> (n, out) -> out.emit(new Held(out.take(edge), n)));
                FlowTask<Held, Integer> b = g.task("b", 1, () -> (held, out) -> {
                    out.release(out.take(edge));
                    out.release(held.buffer());
                    out.emit(held.number());
                });
                g.input().to(a.takes(edge)).to(b.takes(edge).releases(edge)).to(g.output());
            });
            try (FlowRun<Integer, Integer> run = graph.start(new SeededWorkers(seed))) {
                run.sendAll(IntStream.range(0, ITEMS).boxed().toList());
                run.finish();
                run.forEach(result -> assertTrue(result >= 0));
                most = Math.max(most, run.profile().memories().getFirst().peak());
            }
        }
        assertTrue(most > 3, "at most " + most + " buffers were lent at once");
    }

    @Test
    void theOrderOfATaskDecidesAlsoWhoGetsItsBuffers() {
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        FlowGraph<Integer, Integer> graph = FlowGraph.build("order", g -> {
            MemoryEdge<int[]> edge = g.memory("buffers", 1, () -> new int[1]);
            FlowTask<Integer, Integer> task = g.task("task", 1, () -> (n, out) -> {
                order.add(n);
                out.release(out.take(edge));
                out.emit(n);
            });
            g.input()
                    .to(task.takes(edge).releases(edge).priority(Comparator.naturalOrder()))
                    .to(g.output());
        });
        try (Session session = Session.builder().workers(1).open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            run.sendAll(List.of(9, 8, 7, 6, 5, 4, 3, 2, 1));
            run.finish();
            run.forEach(result -> assertTrue(result > 0));
        }
        assertEquals(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9), order);
    }
}
