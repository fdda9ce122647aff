package dev.jacquard.core.macro;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskTimeoutException;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Macro tasks on the host, by each driver. */
class MacroTaskTest {
    private static final int ITEMS = 300;
    private static final int THREADS = 3;

    private final Session session = Session.builder().workers(2).open();
    private final TaskGraph graph = session.graph("macro", FailurePolicy.CONTINUE);

    @AfterEach
    void close() {
        session.close();
    }

    static List<ForkJoinDriver> drivers() {
        return List.of(
                ForkJoinDriver.WORKERS,
                ForkJoinDriver.POOL,
                ForkJoinDriver.pool(new ForkJoinPool(THREADS)),
                ForkJoinDriver.VIRTUAL_THREADS,
                ForkJoinDriver.virtualThreads(THREADS),
                ForkJoinDriver.threads(THREADS),
                ForkJoinDriver.of("in place", Runnable::run, 1));
    }

    private static boolean isBounded(ForkJoinDriver driver) {
        return driver != ForkJoinDriver.VIRTUAL_THREADS;
    }

    private static ItemFailedException cause(MacroTask.Submitted submitted) {
        TaskFailedException failure = assertThrows(TaskFailedException.class, submitted::join);
        return assertInstanceOf(ItemFailedException.class, failure.getCause());
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void eachItemIsDoneOnceBetweenBeforeAndAfter(ForkJoinDriver driver) {
        Handle<int[]> x = session.wrap("x", new int[ITEMS]);
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        MacroTask<Integer> macro = MacroTask.of(ITEMS)
                .forkJoin(driver)
                .before(context -> begun.addAndGet(context.get(x)[0]))
                .body(item -> item.get(x)[item.index()] += begun.get() + item.value())
                .after(context -> {
                    for (int i = 0; i < ITEMS; i++) {
                        ended.addAndGet(context.get(x)[i] - i);
                    }
                });
        graph.task("first").writes(x).run(context -> context.get(x)[0] = 1);
        MacroTask.Submitted submitted =
                macro.submit(session, graph.task("basis").updates(x));
        Task<Integer> last = graph.task("last").reads(x).call(context -> context.get(x)[ITEMS - 1]);
        assertEquals(ITEMS, last.join());
        assertEquals(ITEMS + 1, ended.get()); // each has 1 more than its index, and item 0 another
        assertEquals(new MacroTask.Report(ITEMS, ITEMS, 0, 0, Map.of("host", ITEMS)), submitted.join());
        assertEquals(submitted.join(), submitted.report());
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void aFailingItemNamesItselfAndStopsTheRest(ForkJoinDriver driver) {
        CompletableFuture<MacroTask.Submitted> known = new CompletableFuture<>();
        AtomicInteger ran = new AtomicInteger();
        IOException error = new IOException("broken");
        List<String> names =
                List.of("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten");
        MacroTask.Submitted submitted = MacroTask.of(names)
                .forkJoin(driver)
                .body(item -> {
                    ran.getAndIncrement();
                    if (item.index() == 0) {
                        throw error;
                    }
                    Watchdog.until(() -> known.join().report().failed() > 0, "the first item fails");
                })
                .submit(session, graph.task("basis"));
        known.complete(submitted);
        ItemFailedException failure = cause(submitted);
        assertMentions(failure, "item 0 (zero)", "macro task \"basis\"", "broken", driver.name(), "of 11 items done");
        assertSame(error, failure.getCause());
        assertEquals(0, failure.index());
        assertEquals("basis", failure.task());
        MacroTask.Report report = Objects.requireNonNull(failure.report());
        assertEquals(report, submitted.report());
        assertEquals(1, report.failed());
        assertEquals(ran.get(), report.done() + 1);
        assertEquals(names.size(), report.done() + report.failed() + report.cancelled());
        assertTrue(report.cancelled() > 0 || !isBounded(driver) || driver == ForkJoinDriver.POOL, report.toString());
    }

    @Test
    void furtherFailuresAreSuppressed() {
        CountDownLatch both = new CountDownLatch(2);
        MacroTask.Submitted submitted = MacroTask.of(2)
                .forkJoin(ForkJoinDriver.threads(2))
                .body(item -> {
                    both.countDown();
                    Watchdog.await(both, "both items run");
                    throw new IllegalStateException("item " + item);
                })
                .submit(session, graph.task("basis"));
        ItemFailedException failure = cause(submitted);
        ItemFailedException other = assertInstanceOf(ItemFailedException.class, failure.getSuppressed()[0]);
        assertEquals(1, failure.index() + other.index());
        assertEquals(2, submitted.report().failed());
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void aCancelStopsTheItemsThatHaveNotBegun(ForkJoinDriver driver) {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger ran = new AtomicInteger();
        TaskGraph other = session.graph("cancelled", FailurePolicy.CONTINUE);
        MacroTask.Submitted submitted = MacroTask.of(ITEMS)
                .forkJoin(driver)
                .body(item -> {
                    ran.getAndIncrement();
                    started.countDown();
                    Watchdog.await(release, "the test goes on");
                    assertTrue(item.cancelled());
                })
                .submit(session, other.task("basis"));
        Watchdog.await(started, "the first item runs");
        other.cancel();
        release.countDown();
        assertThrows(CancellationException.class, other::await);
        MacroTask.Report report = submitted.report();
        assertEquals(ran.get(), report.done());
        assertEquals(ITEMS, report.done() + report.cancelled());
        assertTrue(report.cancelled() > 0 || !isBounded(driver), report.toString());
        assertThrows(CancellationException.class, submitted::join);
    }

    @Test
    void aTimeLimitStopsTheRest() {
        CompletableFuture<MacroTask.Submitted> known = new CompletableFuture<>();
        MacroTask.Submitted submitted = MacroTask.of(ITEMS)
                .forkJoin(ForkJoinDriver.threads(1))
                .body(item -> Watchdog.until(() -> known.join().report().cancelled() > 0, "the limit passes"))
                .submit(session, graph.task("basis").timeLimit(Duration.ofMillis(1)));
        known.complete(submitted);
        assertThrows(TaskTimeoutException.class, () -> {
            try {
                submitted.join();
            } catch (TaskFailedException e) {
                throw Objects.requireNonNull(e.getCause());
            }
        });
        graph.await(); // the result completes at the limit, before the item that runs ends
        assertEquals(ITEMS, submitted.report().done() + submitted.report().cancelled());
    }

    @Test
    void itemsOfOtherThreadsHoldNoWorker() {
        CountDownLatch release = new CountDownLatch(1);
        try (Session alone = Session.builder().workers(1).open()) {
            MacroTask.Submitted submitted = MacroTask.of(THREADS)
                    .forkJoin(ForkJoinDriver.threads(THREADS))
                    .body(item -> Watchdog.await(release, "the other task runs"))
                    .submit(alone, alone.graph().task("basis"));
            alone.graph().task("other").run(context -> release.countDown());
            assertEquals(THREADS, submitted.join().done());
        }
    }

    @Test
    void workersStealItems() {
        CountDownLatch both = new CountDownLatch(2);
        MacroTask.Submitted submitted = MacroTask.of(2)
                .body(item -> {
                    both.countDown();
                    Watchdog.await(both, "another worker runs the other item");
                })
                .submit(session, graph.task("basis"));
        assertEquals(2, submitted.join().done());
    }

    @Test
    void aMacroTaskMayBeASubTask() {
        Handle<int[]> x = session.wrap("x", new int[ITEMS]);
        graph.task("outer")
                .updates(x)
                .run(context -> context.refine(sub -> {
                    for (ForkJoinDriver driver : drivers()) {
                        MacroTask.Submitted _ = MacroTask.of(ITEMS)
                                .forkJoin(driver)
                                .body(item -> item.get(x)[item.index()]++)
                                .submit(session, sub.task("inner").updates(x));
                    }
                }));
        graph.await();
        for (int value : x.value()) {
            assertEquals(drivers().size(), value);
        }
    }

    @Test
    void aCompiledGraphDoesItemsInTheBody() {
        Handle<int[]> x = session.wrap("x", new int[ITEMS]);
        Handle<int[]> y = session.wrap("y", new int[ITEMS]);
        AtomicIntegerArray calls = new AtomicIntegerArray(2);
        var body = MacroTask.of(ITEMS)
                .before(context -> calls.getAndIncrement(0))
                .body(item -> item.get(y)[item.index()] += item.get(x)[item.index()])
                .after(context -> calls.getAndIncrement(1))
                .inBody();
        CompiledGraph step = session.record(recorder -> {
            recorder.task("count").updates(x).run(context -> context.get(x)[0]++);
            recorder.task("basis").reads(x).updates(y).run(context -> body.run(context));
        });
        for (int i = 0; i < THREADS; i++) {
            step.run();
        }
        int[] expected = new int[ITEMS];
        expected[0] = 1 + 2 + THREADS;
        assertArrayEquals(expected, y.value());
        assertEquals("[3, 3]", calls.toString());
    }

    @Test
    void aFailureInTheBodyOfATaskNamesTheItemToo() {
        var body = MacroTask.of(ITEMS)
                .body(item -> {
                    throw new IllegalStateException("broken");
                })
                .inBody();
        Task<?> task = graph.task("basis").run(context -> body.run(context));
        TaskFailedException failure = assertThrows(TaskFailedException.class, task::join);
        assertMentions(
                assertInstanceOf(ItemFailedException.class, failure.getCause()), "macro task \"basis\"", "item ");
        assertMentions(
                assertThrows(
                        IllegalStateException.class,
                        () -> MacroTask.of(1).body(item -> {}).forkJoin("pool").inBody()),
                "\"workers\"",
                "\"pool\"");
    }

    @Test
    void aCancelEndsTheBodyOfATaskToo() {
        TaskGraph other = session.graph("cancelled", FailurePolicy.CONTINUE);
        CompletableFuture<Exception> thrown = new CompletableFuture<>();
        var body = MacroTask.of(ITEMS).body(item -> other.cancel()).inBody();
        other.task("basis").run(context -> {
            try {
                body.run(context);
            } catch (Exception e) {
                thrown.complete(e);
            }
        });
        Exception end = thrown.join();
        assertMentions(
                assertInstanceOf(CancellationException.class, end),
                "macro task \"basis\"",
                "of 300 items done",
                "0 failed");
        assertThrows(CancellationException.class, other::await);
    }

    @Test
    void aTryBeginsWithAllItems() {
        Handle<int[]> x = session.wrap("x", new int[ITEMS]);
        AtomicInteger tries = new AtomicInteger();
        MacroTask.Submitted submitted = MacroTask.of(ITEMS)
                .before(context -> tries.getAndIncrement())
                .body(item -> {
                    item.get(x)[item.index()]++;
                    if (item.index() == ITEMS / 2 && tries.get() == 1) {
                        throw new IllegalStateException("once");
                    }
                })
                .submit(session, graph.task("basis").updates(x).retries(1));
        assertEquals(ITEMS, submitted.join().done());
        assertEquals(ITEMS, submitted.report().done());
        for (int value : x.value()) {
            assertEquals(1, value);
        }
    }

    @Test
    void theFailureOfADriverIsNamed() {
        RejectedExecutionException error = new RejectedExecutionException("full");
        MacroTask.Submitted submitted = MacroTask.of(ITEMS)
                .forkJoin(ForkJoinDriver.of(
                        "mine",
                        strand -> {
                            throw error;
                        },
                        THREADS))
                .body(item -> {})
                .submit(session, graph.task("basis"));
        TaskFailedException failure = assertThrows(TaskFailedException.class, submitted::join);
        Throwable cause = Objects.requireNonNull(failure.getCause());
        assertMentions(cause, "\"mine\"", "full", "0 of 300 items done", "300 cancelled");
        assertSame(error, cause.getCause());
    }

    @Test
    void nothingIsTheEasiest() {
        MacroTask.Submitted submitted = MacroTask.of(0).body(item -> {}).submit(session, graph.task("none"));
        assertEquals(new MacroTask.Report(0, 0, 0, 0, Map.of("host", 0)), submitted.join());
        for (String name : ForkJoinDriver.names()) {
            assertEquals(
                    0,
                    MacroTask.of(0)
                            .forkJoin(name)
                            .body(item -> {})
                            .submit(session, graph.task("none"))
                            .join()
                            .items());
        }
    }

    @Test
    void mistakesAreRefused() {
        assertMentions(assertThrows(IllegalArgumentException.class, () -> MacroTask.of(-1)), "-1");
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> ForkJoinDriver.named("tbb")),
                "\"tbb\"",
                "virtual-threads");
        assertThrows(IllegalArgumentException.class, () -> ForkJoinDriver.threads(0));
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class, () -> MacroTask.of(1).submit(session, graph.task("idle"))),
                "\"idle\"",
                "body");
        assertMentions(
                assertThrows(
                        IllegalStateException.class,
                        () -> MacroTask.of(1)
                                .body(item -> {})
                                .where(MacroTask.Where.DEVICES)
                                .submit(session, graph.task("nowhere"))),
                "\"nowhere\"",
                "DEVICES");
    }
}
