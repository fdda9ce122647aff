package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Rule;
import dev.jacquard.flow.task.Termination;
import dev.jacquard.flow.testing.ThreadedWorkers;
import dev.jacquard.memory.data.Handle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many threads on one lock at a time: for each lock of the runtime there is a test here that fails or hangs without it.
 */
@Timeout(180)
class ContentionTest {
    private static final int THREADS = 4;

    private static long together(Callable<Long> work) throws InterruptedException, ExecutionException {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        long sum = 0;
        try (ExecutorService pool = Executors.newFixedThreadPool(THREADS)) {
            List<Future<Long>> parts = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                parts.add(pool.submit(() -> {
                    start.await();
                    return work.call();
                }));
            }
            for (Future<Long> part : parts) {
                sum += part.get();
            }
        }
        return sum;
    }

    /** Three producers with copies of their own feed one task with copies. */
    private static FlowGraph<Integer, Integer> fan() {
        return FlowGraph.build("fan", g -> {
            FlowTask<Integer, Integer> join = g.task("join", 3, () -> FlowTest.plus(0));
            for (int i = 0; i < 3; i++) {
                g.input().to(g.task("part " + i, 2, () -> FlowTest.plus(0))).to(join);
            }
            join.to(g.output());
        });
    }

    @Test
    void manySendersLoseNoItemAndCountThemAll() throws InterruptedException, ExecutionException {
        for (int round = 0; round < 5; round++) {
            try (Session session = Session.builder().workers(3).open();
                    FlowRun<Integer, Integer> run = fan().start(session, FlowRun.Options.unbounded())) {
                long sent = together(() -> {
                    long sum = 0;
                    for (int i = 0; i < 20_000; i++) {
                        run.send(i);
                        sum += i;
                    }
                    return sum;
                });
                run.finish();
                long received = 0;
                for (int item : run) {
                    received += item;
                }
                assertEquals(sent * 3, received);
                assertEquals(THREADS * 20_000, run.report().sent());
                RandomFlow.checkNothingIsLost(run);
            }
        }
    }

    @Test
    void noItemSlipsInAfterTheEnd() throws InterruptedException, ExecutionException {
        for (int round = 0; round < 200; round++) {
            AtomicInteger finisher = new AtomicInteger();
            try (ThreadedWorkers workers = new ThreadedWorkers(2);
                    FlowRun<Integer, Integer> run = fan().start(workers)) {
                long accepted = together(() -> {
                    if (finisher.getAndIncrement() == 0) {
                        run.finish();
                        return 0L;
                    }
                    long count = 0;
                    try {
                        while (true) {
                            run.send(1);
                            count++;
                        }
                    } catch (IllegalStateException ended) {
                        return count;
                    }
                });
                long received = 0;
                for (int item : run) {
                    received += item;
                }
                assertEquals(accepted * 3, received);
            }
        }
    }

    /** Counts without any care of its own. */
    private static final class Careless implements Rule<Integer, Integer> {
        private int seen;

        @Override
        public void apply(Integer item, int pipeline, Emitter<Integer> out) {
            int before = seen;
            Thread.onSpinWait();
            seen = before + 1;
            out.emit(item);
        }
    }

    @Test
    void aRuleThatSeveralBookkeepersShareIsCalledByOneThreadAtATime() {
        Careless shared = new Careless();
        FlowGraph<Integer, Integer> inner = FlowGraph.build("inner", g -> {
            Bookkeeper<Integer> keeper = g.bookkeeper("keeper");
            g.input().to(keeper);
            keeper.rule(shared).to(g.output());
        });
        FlowGraph<Integer, Integer> graph = FlowGraph.build("outer", g -> {
            for (int i = 0; i < 4; i++) {
                g.input().to(g.graph("copy " + i, inner)).to(g.output());
            }
        });
        try (ThreadedWorkers workers = new ThreadedWorkers(4)) {
            assertEquals(
                    200_000,
                    FlowTest.run(graph, workers, FlowTest.numbers(50_000)).size());
        }
        assertEquals(200_000, shared.seen);
    }

    @Test
    void aCycleOfSeveralTasksEndsWithManyItemsUnderWay() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("circle", g -> {
            FlowTask<Integer, Integer> first = g.task("first", 2, () -> FlowTest.plus(0));
            FlowTask<Integer, Integer> second = g.task("second", 2, () -> FlowTest.plus(0));
            FlowTask<Integer, Integer> third = g.task("third", 2, () -> (n, out) -> {
                if (n > 0) {
                    out.emit(n - 1);
                }
            });
            first.terminatedWhen(Termination.whenDrained());
            g.input().to(first).to(second).to(third).to(first);
            second.to(g.output());
        });
        try (ThreadedWorkers workers = new ThreadedWorkers(4)) {
            for (int round = 0; round < 20; round++) {
                List<Integer> items = FlowTest.numbers(100);
                assertEquals(100 * 101 / 2, FlowTest.run(graph, workers, items).size());
            }
        }
    }

    private static final List<MemoryEdge<long[]>> EDGES = new ArrayList<>();

    private static FlowGraph<Integer, Integer> lender(int size, boolean dynamic) {
        EDGES.clear();
        return FlowGraph.build("lender", g -> {
            MemoryEdge<long[]> edge = g.memory("m", size, () -> new long[2]);
            EDGES.add(dynamic ? edge.dynamic() : edge);
            edge.takenOutside().releasedOutside();
            FlowTask<Integer, Integer> borrow = g.task("borrow", 2, () -> (n, out) -> {
                Handle<long[]> buffer = out.take(edge);
                use(buffer);
                out.release(buffer);
                out.emit(n);
            });
            g.input().to(borrow.takes(edge)).to(g.output());
        });
    }

    /** Fails when somebody else has the same buffer. */
    private static void use(Handle<long[]> buffer) {
        long[] value = buffer.value();
        long before = ++value[0];
        Thread.onSpinWait();
        if (value[0] != before) {
            throw new AssertionError("a buffer was lent twice at once");
        }
    }

    @Test
    void noBufferIsLentTwiceAtOnceAndNoneIsLost() throws InterruptedException, ExecutionException {
        for (boolean dynamic : new boolean[] {false, true}) {
            FlowGraph<Integer, Integer> graph = lender(2, dynamic);
            try (ThreadedWorkers workers = new ThreadedWorkers(2);
                    FlowRun<Integer, Integer> run = graph.start(workers)) {
                together(() -> {
                    for (int i = 0; i < 1_000; i++) {
                        run.send(i);
                        Handle<long[]> buffer = run.take(EDGES.getFirst(), ReleaseRule.once());
                        use(buffer);
                        run.release(buffer);
                    }
                    return 0L;
                });
                run.finish();
                int received = 0;
                for (int item : run) {
                    received += item >= 0 ? 1 : 0;
                }
                assertEquals(THREADS * 1_000, received);
                assertTrue(run.profile().memories().getFirst().peak() <= 2);
                assertEquals(
                        2L * THREADS * 1_000,
                        run.profile().memories().getFirst().taken());
                assertEquals(List.of(), run.report().outstanding());
            }
        }
    }

    @Test
    void aReleaseRuleIsCalledByOneThreadAtATime() throws InterruptedException, ExecutionException {
        FlowGraph<Integer, Integer> graph = lender(1, false);
        try (ThreadedWorkers workers = new ThreadedWorkers(1);
                FlowRun<Integer, Integer> run = graph.start(workers)) {
            for (int round = 0; round < 20; round++) {
                int uses = THREADS * 2_000;
                Handle<long[]> buffer = run.take(EDGES.getFirst(), ReleaseRule.after(uses));
                together(() -> {
                    for (int i = 0; i < uses / THREADS; i++) {
                        run.release(buffer);
                    }
                    return 0L;
                });
                assertEquals(List.of(), run.report().outstanding());
            }
        }
    }

    @Test
    void ofReleasesAtOnceOnlyOneReturnsTheBuffer() throws InterruptedException, ExecutionException {
        FlowGraph<Integer, Integer> graph = lender(1, false);
        try (ThreadedWorkers workers = new ThreadedWorkers(1);
                FlowRun<Integer, Integer> run = graph.start(workers)) {
            for (int round = 0; round < 300; round++) {
                Handle<long[]> buffer = run.take(EDGES.getFirst(), ReleaseRule.once());
                long freed = together(() -> {
                    try {
                        run.release(buffer);
                        return 1L;
                    } catch (IllegalStateException twice) {
                        return 0L;
                    }
                });
                assertEquals(1, freed);
            }
        }
    }

    @Test
    void cancelsFromSeveralThreadsEndTheRunOnce() throws InterruptedException, ExecutionException {
        try (ThreadedWorkers workers = new ThreadedWorkers(3)) {
            for (int round = 0; round < 200; round++) {
                FlowRun<Integer, Integer> run = fan().start(workers);
                run.send(1);
                together(() -> {
                    run.cancel();
                    return 0L;
                });
                run.close();
                RandomFlow.checkNothingIsLost(run);
            }
        }
    }

    @Test
    void cancellingWhileManySendLosesCountOfNothing() throws InterruptedException, ExecutionException {
        for (int round = 0; round < 200; round++) {
            AtomicInteger canceller = new AtomicInteger();
            try (ThreadedWorkers workers = new ThreadedWorkers(2)) {
                FlowRun<Integer, Integer> run = fan().start(workers);
                long accepted = together(() -> {
                    boolean cancels = canceller.getAndIncrement() == 0;
                    for (long count = 0; ; count++) {
                        try {
                            if (cancels && count == 100) {
                                run.cancel();
                            }
                            run.send(1);
                        } catch (CancellationException stopped) {
                            return count;
                        }
                    }
                });
                run.close();
                assertEquals(accepted, run.report().sent());
                RandomFlow.checkNothingIsLost(run);
            }
        }
    }

    @Test
    void copiesThatEndAtOnceAreAllCounted() throws InterruptedException {
        final class Farewell implements Body<Integer, Integer> {
            @Override
            public void execute(Integer item, Emitter<Integer> out) {}

            @Override
            public void shutdown(Emitter<Integer> out) {
                out.emit(1);
            }
        }
        FlowGraph<Integer, Integer> graph = FlowGraph.build("ends", g -> {
            FlowTask<Integer, Integer> sum = g.task("sum", 2, () -> FlowTest.plus(0));
            g.input().to(g.task("many", 16, Farewell::new)).to(sum).to(g.output());
        });
        try (ThreadedWorkers workers = new ThreadedWorkers(4)) {
            for (int round = 0; round < 2_000; round++) {
                try (FlowRun<Integer, Integer> run = graph.start(workers)) {
                    run.finish();
                    run.await();
                    RandomFlow.checkNothingIsLost(run);
                    assertEquals(16, run.report().undelivered());
                }
            }
        }
    }

    @Test
    void aCopyThatPollsIsNotLostWhenAnItemComesAtThatMoment() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("polls", g -> {
            FlowTask<Integer, Integer> poll = g.task("poll", 3, () -> FlowTest.plus(0));
            g.input().to(poll.dedicated().poll(Duration.ofNanos(1))).to(g.output());
        });
        try (ThreadedWorkers workers = new ThreadedWorkers(1)) {
            for (int round = 0; round < 20; round++) {
                try (FlowRun<Integer, Integer> run = graph.start(workers)) {
                    for (int i = 0; i < 1_000; i++) {
                        run.send(i);
                        Thread.onSpinWait();
                    }
                    run.finish();
                    int received = 0;
                    for (int item : run) {
                        received += item >= 0 ? 1 : 0;
                    }
                    assertEquals(1_000, received);
                }
            }
        }
    }
}
