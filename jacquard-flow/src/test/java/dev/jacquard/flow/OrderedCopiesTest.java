package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.engine.Workers;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.flow.testing.ThreadedWorkers;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks with several copies that pass on results in the order of the items. */
@Timeout(120)
class OrderedCopiesTest {
    private static FlowGraph<Integer, Integer> graph(UnaryOperator<FlowTask<Integer, Integer>> option) {
        return FlowGraph.build("ordered", g -> {
            FlowTask<Integer, Integer> work = g.task("work", 4, () -> (n, out) -> {
                if (n % 5 == 4) {
                    throw new IllegalArgumentException("no fives");
                }
                for (int i = 0; i < n % 3; i++) {
                    out.emit(10 * n + i);
                }
            });
            g.input().to(option.apply(work.ordered())).to(g.output());
        });
    }

    private static List<Integer> expected(int count, int ofDropped) {
        List<Integer> all = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            for (int i = 0; i < (n % 5 == 4 ? ofDropped : n % 3); i++) {
                all.add(n % 5 == 4 ? -n : 10 * n + i);
            }
        }
        return all;
    }

    private static FlowTask<Integer, Integer> dropping(FlowTask<Integer, Integer> task) {
        return task.onError((n, failure, out) -> out.emit(-n));
    }

    private static List<Integer> results(FlowGraph<Integer, Integer> graph, Workers workers, int count) {
        try (FlowRun<Integer, Integer> run = graph.start(workers)) {
            run.sendAll(FlowTest.numbers(count));
            run.finish();
            List<Integer> results = new ArrayList<>();
            run.forEach(results::add);
            RandomFlow.checkNothingIsLost(run);
            assertEquals(FlowReport.Outcome.DONE, run.report().outcome());
            return results;
        }
    }

    @Test
    void resultsComeInTheOrderOfTheItems() {
        FlowGraph<Integer, Integer> graph = graph(OrderedCopiesTest::dropping);
        assertTrue(graph.check().isFine(), graph.check().toString());
        for (long seed = 0; seed < 200; seed++) {
            assertEquals(expected(100, 1), results(graph, new SeededWorkers(seed), 100), "seed " + seed);
        }
        FlowGraph<Integer, Integer> few = graph(task -> dropping(task).inFlight(1));
        try (ThreadedWorkers workers = new ThreadedWorkers(4)) {
            for (int i = 0; i < 50; i++) {
                assertEquals(expected(1_000, 1), results(graph, workers, 1_000));
                assertEquals(expected(1_000, 1), results(few, workers, 1_000));
            }
        }
    }

    @Test
    void dedicatedCopiesKeepTheOrder() {
        FlowGraph<Integer, Integer> graph = graph(task -> dropping(task).dedicated());
        try (ThreadedWorkers workers = new ThreadedWorkers(2)) {
            for (int i = 0; i < 20; i++) {
                assertEquals(expected(500, 1), results(graph, workers, 500));
            }
        }
    }

    /** The first item ends last, and few of the items after it are taken until then. */
    @Test
    void anItemThatTakesLongHoldsBackTheResultsAndFewItems() throws InterruptedException {
        CountDownLatch first = new CountDownLatch(1);
        AtomicInteger done = new AtomicInteger();
        FlowGraph<Integer, Integer> graph = FlowGraph.build("slow", g -> {
            FlowTask<Integer, Integer> work = g.task("work", 3, () -> (n, out) -> {
                if (n == 0) {
                    first.await();
                }
                out.emit(n);
                done.incrementAndGet();
            });
            g.input().to(work.ordered().inFlight(5).dedicated()).to(g.output());
        });
        try (ThreadedWorkers workers = new ThreadedWorkers(2);
                FlowRun<Integer, Integer> run = graph.start(workers)) {
            run.sendAll(FlowTest.numbers(100));
            run.finish();
            Watchdog.until(() -> done.get() == 10, "two copies with five results that wait each");
            assertEquals(null, run.poll());
            first.countDown();
            List<Integer> results = new ArrayList<>();
            run.forEach(results::add);
            assertEquals(FlowTest.numbers(100), results);
        }
    }

    @Test
    void itemsWithTasksOfTheEngineKeepTheOrder() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("engine", g -> {
            FlowTask<Integer, Integer> work = g.task("work", 2, () -> (n, out) -> {
                if (n % 2 == 0) {
                    out.graph().task("nothing").run(ctx -> {});
                    if (n % 4 == 0) {
                        out.emit(n);
                        out.whenDone(then -> {
                            then.graph().task("more").run(ctx -> {});
                            then.whenDone(last -> last.emit(-n));
                        });
                    } else {
                        out.emitWhenDone(n);
                    }
                } else {
                    out.emit(n);
                }
            });
            g.input().to(work.ordered()).to(g.output());
        });
        List<Integer> expected = new ArrayList<>();
        for (int n = 0; n < 400; n++) {
            expected.add(n);
            if (n % 4 == 0) {
                expected.add(-n);
            }
        }
        try (Session session = Session.open()) {
            for (int i = 0; i < 20; i++) {
                try (FlowRun<Integer, Integer> run = graph.start(session)) {
                    run.sendAll(FlowTest.numbers(400));
                    run.finish();
                    List<Integer> results = new ArrayList<>();
                    run.forEach(results::add);
                    assertEquals(expected, results);
                    RandomFlow.checkNothingIsLost(run);
                }
            }
        }
    }

    @Test
    void buffersTicketsAndCyclesComeToTheirEnds() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("buffers", g -> {
            MemoryEdge<int[]> first = g.memory("first", 3, () -> new int[1]);
            MemoryEdge<int[]> second = g.memory("second", 1, () -> new int[1]);
            FlowTask<Integer, Handle<int[]>> take = g.<Integer, Handle<int[]>>task("take", 3, () -> (n, out) -> {
                        Handle<int[]> buffer = out.take(first);
                        buffer.value()[0] = n;
                        out.emit(buffer);
                    })
                    .takes(first)
                    .ordered();
            FlowTask<Handle<int[]>, Integer> give = g.<Handle<int[]>, Integer>task("give", 3, () -> (buffer, out) -> {
                        out.release(out.take(second));
                        out.emit(buffer.value()[0]);
                        out.release(buffer);
                    })
                    .takes(second)
                    .releases(first)
                    .releases(second)
                    .ordered();
            FlowTask<Integer, Integer> round = g.<Integer, Integer>task("round", 3, () -> (n, out) -> out.emit(n))
                    .ordered()
                    .terminatedWhen(progress -> progress.cycleDrained());
            Bookkeeper<Integer> turn = g.bookkeeper("turn");
            g.input().to(take).to(give).to(round).to(turn);
            turn.<Integer>rule((n, pipeline, out) -> {
                        if (n < 1_000) {
                            out.emit(n + 1_000);
                        }
                    })
                    .to(round);
            turn.<Integer>rule((n, pipeline, out) -> {
                        if (n >= 1_000) {
                            out.emit(n - 1_000);
                        }
                    })
                    .to(g.output());
        });
        assertTrue(graph.check().isFine(), graph.check().toString());
        for (long seed = 0; seed < 100; seed++) {
            assertEquals(FlowTest.numbers(50), results(graph, new SeededWorkers(seed), 50), "seed " + seed);
        }
        try (ThreadedWorkers workers = new ThreadedWorkers(3)) {
            for (int i = 0; i < 20; i++) {
                assertEquals(FlowTest.numbers(200), results(graph, workers, 200));
            }
        }
    }

    @Test
    void resultsOfTheOldestItemAreNotKept() {
        AtomicInteger seen = new AtomicInteger();
        FlowGraph<Integer, Integer> graph = FlowGraph.build("many", g -> {
            FlowTask<Integer, Integer> many = g.task("many", 2, () -> (n, out) -> {
                for (int i = 0; i < 1_000; i++) {
                    out.emit(i);
                }
                if (n == 0) {
                    Watchdog.until(() -> seen.get() > 0, "results of the oldest item");
                }
            });
            g.input()
                    .to(many.ordered().dedicated())
                    .to(g.each("count", 1, n -> seen.incrementAndGet()))
                    .endsHere();
        });
        try (ThreadedWorkers workers = new ThreadedWorkers(2);
                FlowRun<Integer, Integer> run = graph.start(workers)) {
            run.sendAll(List.of(0, 1));
            run.finish();
            run.await();
            assertEquals(2_000, seen.get());
        }
    }

    @Test
    void aFailureOrACancelEndsARunInWhichResultsWait() {
        FlowGraph<Integer, Integer> graph = graph(task -> task.inFlight(2));
        for (long seed = 0; seed < 100; seed++) {
            FlowRun<Integer, Integer> run = graph.start(new SeededWorkers(seed));
            try (run) {
                run.sendAll(FlowTest.numbers(20));
                run.finish();
                assertThrows(FlowFailedException.class, run::await);
            }
            RandomFlow.checkNothingIsLost(run);
        }
        CountDownLatch waits = new CountDownLatch(4);
        FlowGraph<Integer, Integer> slow = FlowGraph.build("slow", g -> {
            FlowTask<Integer, Integer> work = g.task("work", 3, () -> (n, out) -> {
                waits.countDown();
                if (n == 0) {
                    new CountDownLatch(1).await();
                }
                out.emit(n);
            });
            g.input().to(work.ordered().inFlight(2).dedicated()).to(g.output());
        });
        try (ThreadedWorkers workers = new ThreadedWorkers(2)) {
            FlowRun<Integer, Integer> run = slow.start(workers);
            run.sendAll(FlowTest.numbers(20));
            Watchdog.until(() -> waits.getCount() == 0, "results that wait");
            run.close(); // interrupts the first item
            assertEquals(FlowReport.Outcome.CANCELLED, run.report().outcome());
            RandomFlow.checkNothingIsLost(run);
        }
    }

    /** The handler is for items that fail, not for a task that declares too few results. */
    @Test
    void moreResultsThanDeclaredFailTheRunAlsoWhenTheyHaveWaited() {
        CountDownLatch last = new CountDownLatch(1);
        FlowGraph<Integer, Integer> graph = FlowGraph.build("ordered", g -> {
            FlowTask<Integer, Integer> work = g.<Integer, Integer>task("work", 1, () -> (n, out) -> {
                        if (n == 0) { // the others wait for this one
                            out.graph().task("wait").run(ctx -> last.await());
                            out.emitWhenDone(n);
                        } else if (n == 1) {
                            out.emit(n);
                            out.emit(n);
                        } else {
                            last.countDown();
                        }
                    })
                    .ordered()
                    .inFlight(3)
                    .emits(0, 1)
                    .onError((n, failure, out) -> {});
            FlowTask<Integer, Integer> next = g.task("next", 1, () -> (n, out) -> out.emit(n));
            g.input().to(work);
            work.to(next, 3);
            next.to(g.output());
        });
        try (Session session = Session.builder().workers(2).open()) {
            FlowRun<Integer, Integer> run = graph.start(session);
            run.sendAll(List.of(0, 1, 2));
            run.finish();
            FlowFailedException failed = assertThrows(FlowFailedException.class, run::await);
            assertTrue(
                    String.valueOf(failed.getMessage()).contains("emitted more items per item than it declares"),
                    failed::toString);
            run.close();
            RandomFlow.checkNothingIsLost(run);
        }
    }
}
