package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Body.CopyInfo;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.testkit.Watchdog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies that end by their own condition, while others of the same task go on. */
@Timeout(180)
class EarlyEndTest {
    private static final int RUNS = 2_000;

    /** The first copies end after an item each, the last one with its input. */
    private static final class Few implements Body<Integer, Integer> {
        private boolean last;
        private int done;

        @Override
        public void initialize(CopyInfo copy) {
            last = copy.index() == copy.copies() - 1;
        }

        @Override
        public void execute(Integer n, Emitter<Integer> out) {
            done++;
            out.emit(n);
        }

        @Override
        public boolean canTerminate(boolean inputClosed) {
            return inputClosed || (!last && done > 0);
        }
    }

    @Test
    void anItemIsNotLeftToACopyThatEnds() {
        for (int takes = 0; takes < 2; takes++) {
            for (long seed = 0; seed < RUNS; seed++) {
                boolean taking = takes == 1;
                FlowGraph<Integer, Integer> graph = FlowGraph.build("few", g -> {
                    FlowTask<Integer, Integer> few = g.task("few", 3, Few::new);
                    if (taking) {
                        MemoryEdge<int[]> edge = g.memory("e", 2, () -> new int[1]);
                        few.takes(edge).releases(edge);
                    }
                    g.input().to(few).to(g.output());
                });
                SeededWorkers workers = new SeededWorkers(seed);
                try (FlowRun<Integer, Integer> run = graph.start(workers)) {
                    for (int i = 0; i < 20; i++) {
                        workers.runSome(Integer.MAX_VALUE); // until all copies sleep
                        run.send(i);
                        assertEquals(i, run.iterator().next(), "seed " + seed);
                    }
                } catch (AssertionError e) {
                    throw new AssertionError("seed " + seed, e);
                }
            }
        }
    }

    /** Ends after one item, which it works on until the sender waits. */
    private static final class One implements Body<Integer, Integer> {
        private final CountDownLatch full;
        private boolean done;

        One(CountDownLatch full) {
            this.full = full;
        }

        @Override
        public void execute(Integer n, Emitter<Integer> out) {
            Watchdog.await(full, "the sender waits");
            done = true;
        }

        @Override
        public boolean canTerminate(boolean inputClosed) {
            return inputClosed || done;
        }
    }

    /** The items that wait at a task that ends early make room for what others still take. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSenderThatWaitsForRoomIsToldOfATaskThatEnds(boolean taking) throws Exception {
        CountDownLatch full = new CountDownLatch(1);
        FlowGraph<Integer, Integer> graph = FlowGraph.build("bounded", g -> {
            FlowTask<Integer, Integer> one = g.task("one", 1, () -> new One(full));
            FlowTask<Integer, Integer> all = g.task("all", 1, () -> (n, out) -> out.emit(n));
            if (taking) {
                MemoryEdge<int[]> edge = g.memory("e", 1, () -> new int[1]);
                one.takes(edge).releases(edge);
            }
            g.input().to(one.dedicated().endsHere());
            g.input().to(all.dedicated()).to(g.output());
        });
        try (Session session = Session.builder()
                        .workers(1)
                        .stallWatch(Duration.ofDays(1), text -> {}) // which wakes those that wait, too
                        .open();
                FlowRun<Integer, Integer> run =
                        graph.start(session, FlowRun.Options.defaults().withInputBound(2))) {
            FutureTask<Boolean> sends = new FutureTask<>(
                    () -> {
                        for (int i = 0; i < 10; i++) {
                            run.send(i);
                        }
                        run.finish();
                    },
                    true);
            Thread sender = Thread.ofPlatform().start(sends);
            List<Integer> results = new ArrayList<>();
            for (int i = 0; i < 3; i++) { // one item is worked on, and two wait
                results.add(run.iterator().next());
            }
            Watchdog.until(
                    () -> sender.getState() == Thread.State.WAITING || sender.getState() == Thread.State.TIMED_WAITING,
                    "the sender waits");
            full.countDown();
            sends.get(Watchdog.LIMIT.toSeconds(), TimeUnit.SECONDS);
            run.forEach(results::add);
            assertEquals(FlowTest.numbers(10), results);
        }
    }
}
