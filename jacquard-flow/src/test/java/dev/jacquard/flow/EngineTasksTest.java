package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Start;
import dev.jacquard.flow.task.Termination;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bodies that submit tasks to the engine, and go on when these are over. */
@Timeout(180)
class EngineTasksTest {
    private static final int ITEMS = 300;

    /** Squares on the engine, in two tasks of which the second follows from the first's accesses. */
    private static void square(Session session, int n, Emitter<Integer> out) {
        Handle<int[]> cell = session.wrap("cell", new int[1]);
        out.graph().task("set").writes(cell).run(ctx -> ctx.get(cell)[0] = n);
        out.graph().task("square").updates(cell).run(ctx -> ctx.get(cell)[0] *= ctx.get(cell)[0]);
        out.whenDone(then -> then.emit(cell.value()[0]));
    }

    private static Set<Integer> squares() {
        Set<Integer> squares = new TreeSet<>();
        FlowTest.numbers(ITEMS).forEach(n -> squares.add(n * n));
        return squares;
    }

    private static FlowReport run(FlowRun<Integer, Integer> run, Set<Integer> results) {
        run.sendAll(FlowTest.numbers(ITEMS));
        run.finish();
        run.forEach(results::add);
        return run.report();
    }

    @Test
    void emitsWhenTheTasksOfAnItemAreOver() {
        for (int workers = 1; workers <= 3; workers++) {
            for (int copies = 1; copies <= 2; copies++) {
                int number = copies;
                try (Session session = Session.builder().workers(workers).open()) {
                    FlowGraph<Integer, Integer> graph = FlowGraph.build("squares", g -> {
                        FlowTask<Integer, Integer> square =
                                g.task("square", number, () -> (n, out) -> square(session, n, out));
                        FlowTask<Integer, Integer> pass = g.task("pass", 1, () -> (n, out) -> out.emit(n));
                        g.input().to(square).to(pass).to(g.output());
                    });
                    for (FlowRun.Options options : List.of(
                            FlowRun.Options.defaults(),
                            FlowRun.Options.defaults().withInputBound(3),
                            FlowRun.Options.defaults().withDedicatedThreads())) {
                        Set<Integer> results = new TreeSet<>();
                        try (FlowRun<Integer, Integer> run = graph.start(session, options)) {
                            FlowReport report = run(run, results);
                            assertEquals(ITEMS, report.tasks().getFirst().executed());
                        }
                        assertEquals(squares(), results);
                    }
                }
            }
        }
    }

    @Test
    void neverHasMoreItemsInFlightThanItMay() {
        AtomicInteger live = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (Session session = Session.builder().workers(2).open()) {
            FlowGraph<Integer, Integer> graph = FlowGraph.build("bounded", g -> {
                FlowTask<Integer, Integer> work = g.<Integer, Integer>task("work", 2, () -> (n, out) -> {
                            most.accumulateAndGet(live.incrementAndGet(), Math::max);
                            out.graph().task("work").run(ctx -> {});
                            out.whenDone(then -> {
                                live.decrementAndGet();
                                then.emit(n);
                            });
                        })
                        .inFlight(3);
                g.input().to(work).to(g.output());
            });
            Set<Integer> results = new TreeSet<>();
            try (FlowRun<Integer, Integer> run = graph.start(session)) {
                run(run, results);
            }
            assertEquals(ITEMS, results.size());
            assertTrue(most.get() <= 6, () -> "in flight: " + most);
        }
    }

    @Test
    void aContinuationMaySubmitMore() {
        try (Session session = Session.builder().workers(2).open()) {
            FlowGraph<Integer, Integer> graph = FlowGraph.build("steps", g -> {
                FlowTask<Integer, Integer> steps = g.task("steps", 1, () -> (n, out) -> {
                    int[] cell = {0};
                    step(cell, n % 5, out, n);
                });
                g.input().to(steps).to(g.output());
            });
            Set<Integer> results = new TreeSet<>();
            try (FlowRun<Integer, Integer> run = graph.start(session)) {
                assertEquals(ITEMS, run(run, results).tasks().getFirst().executed());
            }
            assertEquals(new TreeSet<>(FlowTest.numbers(ITEMS)), results);
        }
    }

    private static void step(int[] cell, int more, Emitter<Integer> out, int n) {
        out.graph().task("step").run(ctx -> cell[0]++);
        out.whenDone(then -> {
            if (more > 0) {
                step(cell, more - 1, then, n);
            } else {
                assertEquals(n % 5 + 1, cell[0]);
                then.emit(n);
            }
        });
    }

    @Test
    void aCycleIsNotDrainedWhileTasksAreUnderWay() {
        for (int workers = 1; workers <= 2; workers++) {
            try (Session session = Session.builder().workers(workers).open()) {
                FlowGraph<Integer, Integer> graph = FlowGraph.build("countdown", g -> {
                    FlowTask<Integer, Integer> down = g.<Integer, Integer>task("down", 1, () -> (n, out) -> {
                                out.graph().task("minus").run(ctx -> {});
                                out.emitWhenDone(n - 1);
                            })
                            .terminatedWhen(Termination.whenDrained());
                    FlowTask<Integer, Integer> again = g.<Integer, Integer>task("again", 1, () -> (n, out) -> {
                        if (n > 0) {
                            out.emit(n);
                        }
                    });
                    g.input().to(down).to(again).to(down);
                    down.to(g.output());
                });
                for (int round = 0; round < 20; round++) {
                    int sum = 0;
                    try (FlowRun<Integer, Integer> run = graph.start(session)) {
                        run.sendAll(List.of(5, 3, 10));
                        run.finish();
                        for (int n : run) {
                            sum += 1 + n * 0;
                        }
                    }
                    assertEquals(18, sum);
                }
            }
        }
    }

    /** Emits numbers from the engine. */
    private static final class Numbers implements Body<Start, Integer> {
        private int next;

        @Override
        public void execute(Start signal, Emitter<Integer> out) {
            int n = next++;
            out.graph().task("number").run(ctx -> {});
            out.emitWhenDone(n);
        }

        @Override
        public boolean canTerminate(boolean inputClosed) {
            return next == ITEMS;
        }

        @Override
        public void shutdown(Emitter<Integer> out) {
            out.emit(-1); // behind all of the others
        }
    }

    @Test
    void aCopyShutsDownBehindItsTasks() {
        for (int workers = 1; workers <= 2; workers++) {
            try (Session session = Session.builder().workers(workers).open()) {
                FlowGraph<Void, Integer> graph = FlowGraph.build(
                        "numbers",
                        g -> g.start("numbers", 1, Numbers::new).inFlight(7).to(g.output()));
                try (FlowRun<Void, Integer> run = graph.start(session)) {
                    run.finish();
                    int results = 0;
                    int last = 0;
                    for (int n : run) {
                        results++;
                        last = n;
                    }
                    assertEquals(ITEMS + 1, results);
                    assertEquals(-1, last);
                }
            }
        }
    }

    @Test
    void aFailedTaskFailsTheRunAndIsNotReportedTwice() {
        try (Session session = Session.builder().workers(2).open()) {
            FlowGraph<Integer, Integer> graph = FlowGraph.build("fails", g -> {
                FlowTask<Integer, Integer> work = g.task("work", 1, () -> (n, out) -> {
                    out.graph().task("divide").run(ctx -> {
                        if (n == 7) {
                            throw new ArithmeticException("seven");
                        }
                    });
                    out.emitWhenDone(n);
                });
                g.input().to(work).to(g.output());
            });
            try (FlowRun<Integer, Integer> run = graph.start(session)) {
                FlowFailedException failed = assertThrows(FlowFailedException.class, () -> run(run, new TreeSet<>()));
                assertEquals("work", failed.task());
                assertEquals("7", failed.item());
                assertTrue(failed.getCause() instanceof TaskFailedException, failed.toString());
                assertTrue(failed.toString().contains("seven"), failed.toString());
            }
        } // the session has nothing to add
    }

    @Test
    void aBodyThatThrowsAfterItHasSubmittedIsWaitedFor() throws InterruptedException {
        CompletableFuture<String> gate = new CompletableFuture<>();
        CountDownLatch started = new CountDownLatch(1);
        try (Session session = Session.builder().workers(2).open()) {
            FlowGraph<Integer, Integer> graph = FlowGraph.build("throws", g -> {
                FlowTask<Integer, Integer> work = g.task("work", 1, () -> (n, out) -> {
                    out.graph().task("slow").start(ctx -> {
                        started.countDown();
                        return gate.minimalCompletionStage();
                    });
                    started.await();
                    throw new IllegalStateException("on purpose");
                });
                g.input().to(work).to(g.output());
            });
            FlowRun<Integer, Integer> run = graph.start(session);
            run.send(1);
            run.finish();
            session.awaitUntil(() -> run.report().outcome() == FlowReport.Outcome.FAILED);
            assertFalse(run.isDone(), "a task of its may still use its buffers");
            gate.complete("now");
            assertThrows(FlowFailedException.class, run::close);
            assertTrue(run.isDone());
        }
    }

    @Test
    void tasksBelongToAnItem() {
        ConcurrentLinkedQueue<String> told = new ConcurrentLinkedQueue<>();
        ConcurrentSkipListSet<Integer> rules = new ConcurrentSkipListSet<>();
        try (Session session = Session.builder().workers(1).open()) {
            FlowGraph<Integer, Integer> graph = FlowGraph.build("refused", g -> {
                Bookkeeper<Integer> keeper = g.bookkeeper("keeper");
                FlowTask<Integer, Integer> work = g.task("work", 1, () -> new Body<>() {
                    @Override
                    public void execute(Integer n, Emitter<Integer> out) {
                        out.emit(n);
                    }

                    @Override
                    public void shutdown(Emitter<Integer> out) {
                        told.add(assertThrows(IllegalStateException.class, out::graph)
                                .toString());
                    }
                });
                g.input().to(keeper);
                keeper.<Integer>rulePerRun(() -> (n, pipeline, out) -> {
                            rules.add(n);
                            told.add(assertThrows(IllegalStateException.class, out::graph)
                                    .toString());
                            out.emit(n);
                        })
                        .to(work)
                        .to(g.output());
            });
            try (FlowRun<Integer, Integer> run = graph.start(session)) {
                run.send(1);
                run.finish();
                run.forEach(n -> {});
            }
            assertEquals(Set.of(1), rules);
            assertTrue(
                    told.stream().anyMatch(text -> text.contains("a rule of bookkeeper \"keeper\"")), told::toString);
            assertTrue(told.stream().anyMatch(text -> text.contains("outside of execute")), told::toString);
            assertEquals(2, told.size());
        }
    }

    @Test
    void anItemWithoutTasksIsDoneAtOnce() {
        try (Session session = Session.builder().workers(1).open()) {
            FlowGraph<Integer, Integer> graph = FlowGraph.build("none", g -> {
                FlowTask<Integer, Integer> work = g.task("work", 1, () -> (n, out) -> out.emitWhenDone(n));
                g.input().to(work).to(g.output());
            });
            Set<Integer> results = new TreeSet<>();
            try (FlowRun<Integer, Integer> run = graph.start(session)) {
                run(run, results);
                assertEquals(ITEMS, results.size());
            }
        }
    }

    /** A buffer goes back behind the tasks that use it, and is freed before the run is closed. */
    @Test
    void closingWaitsForABufferThatIsBeingRecycled() {
        AtomicInteger allocated = new AtomicInteger();
        AtomicInteger freed = new AtomicInteger();
        CountDownLatch recycles = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        MemoryEdge.Allocator<int[]> allocator = new MemoryEdge.Allocator<>() {
            @Override
            public int[] allocate() {
                allocated.incrementAndGet();
                return new int[1];
            }

            @Override
            public void recycle(int[] buffer) {
                recycles.countDown();
                Watchdog.await(goesOn, "the run is being closed");
            }

            @Override
            public void free(int[] buffer) {
                freed.incrementAndGet();
            }
        };
        FlowGraph<Integer, Integer> graph = FlowGraph.build("blocks", builder -> {
            MemoryEdge<int[]> edge = builder.memory("blocks", 2, allocator);
            FlowTask<Integer, Integer> task = builder.task("reads", 1, () -> (item, out) -> {
                Handle<int[]> block = out.take(edge);
                out.graph().task("read").reads(block).run(context -> {});
                out.release(block);
                out.emit(item);
            });
            task.takes(edge).releases(edge);
            builder.input().to(task).to(builder.output());
        });
        Thread closes = Thread.currentThread();
        AtomicBoolean closed = new AtomicBoolean();
        try (Session session = Session.builder().workers(2).open()) {
            FlowRun<Integer, Integer> run = graph.start(session);
            run.send(7);
            Watchdog.await(recycles, "the other worker recycles the buffer"); // this thread runs no tasks meanwhile
            Thread.ofPlatform().start(() -> {
                Watchdog.until(
                        () -> closed.get() || closes.getState() == Thread.State.WAITING,
                        "the thread that closes waits");
                goesOn.countDown();
            });
            run.finish();
            run.close();
            closed.set(true);
            assertEquals(2, allocated.get());
            assertEquals(2, freed.get());
        }
    }
}
