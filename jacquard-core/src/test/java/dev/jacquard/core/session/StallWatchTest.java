package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Flag;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.testing.EmulatedKernels;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.testkit.Watchdog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When nothing moves though somebody waits, the watch says who waits for what, once. */
@Timeout(180)
class StallWatchTest {
    private static final Duration SOON = Duration.ofMillis(30);

    private final LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();

    private SessionBuilder watched(int workers) {
        return Session.builder().workers(workers).stallWatch(SOON, told::add);
    }

    private String next() throws InterruptedException {
        String text = told.poll(Watchdog.LIMIT.toSeconds(), TimeUnit.SECONDS);
        if (text == null) {
            throw new AssertionError("nothing was told within " + Watchdog.LIMIT);
        }
        return text;
    }

    private static void assertSays(String text, String... parts) {
        for (String part : parts) {
            assertTrue(text.contains(part), () -> "expected \"" + part + "\" in\n" + text);
        }
    }

    @Test
    void aStageThatNobodyCompletesIsNamedWithThoseWhoWaitForIt() throws InterruptedException {
        CompletableFuture<Integer> stage = new CompletableFuture<>();
        CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> {
            try {
                String text = next();
                stage.complete(1);
                return text;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        try (Session session = watched(2).open()) {
            TaskGraph graph = session.graph();
            Task<Integer> load = graph.task("load").start(context -> stage);
            graph.task("use").after(load).run(context -> {});
            graph.await();
        }
        assertSays(
                first.join(),
                "nothing has moved for 0.03s, and 2 tasks are not over; what they wait for in the end:",
                "end:\n  \"load\" waits for its stage (asynchronous: its stage is not complete)\nsnapshot",
                "\"use\" waits for \"load\" (explicitly)",
                "worker 1 (jacquard-worker-1) sleeps");
    }

    @Test
    void aMainThreadThatNeverComesIsNamed() throws InterruptedException {
        try (Session session = watched(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            session.graph().task("show").updates(x).flag(Flag.MAIN_THREAD).run(context -> {});
            Task<?> after = session.graph().task("after").reads(x).run(context -> {});
            CompletableFuture<?> waiting = CompletableFuture.runAsync(after::join, task -> new Thread(task).start());
            assertSays(
                    next(),
                    "2 tasks are not over",
                    "\"show\" is queued for the main thread, "
                            + Thread.currentThread().getName()
                            + ", which runs tasks while it is in await, join or runMain, and is not",
                    "\"after\" waits for \"show\" (READ x after UPDATE)");
            session.graph().await();
            waiting.join();
        }
    }

    @Test
    void theOnlyWorkerWhoseThreadDoesNotWaitIsNamed() throws InterruptedException {
        try (Session session = watched(1).open()) {
            Task<?> task = session.graph().task("t").run(context -> {});
            CompletableFuture<?> waiting = CompletableFuture.runAsync(task::join, its -> new Thread(its).start());
            assertSays(
                    next(),
                    "\"t\" is queued at worker 0, whose thread runs tasks while it is in await or join, and is not");
            session.graph().await();
            waiting.join();
        }
    }

    @Test
    void theHolderOfAnUnorderedResourceIsNamed() throws InterruptedException {
        CompletableFuture<Integer> stage = new CompletableFuture<>();
        try (Session session = watched(2).open()) {
            Resource lamp = session.unordered("lamp");
            session.graph().task("glow").updates(lamp).start(context -> stage);
            session.graph().task("blink").updates(lamp).run(context -> {});
            CompletableFuture<?> waiting =
                    CompletableFuture.runAsync(session.graph()::await, its -> new Thread(its).start());
            String text = next();
            boolean glowFirst = text.contains("\"blink\" waits for \"glow\" (which has \"lamp\", in no order)");
            assertTrue(glowFirst || !text.contains("\"blink\""), text);
            assertSays(text, "\"glow\" waits for its stage");
            stage.complete(1);
            waiting.join();
        }
    }

    @Test
    void eachStallIsToldOfOnce() throws InterruptedException {
        try (Session session = watched(2).open()) {
            TaskGraph graph = session.graph();
            for (int stall = 0; stall < 2; stall++) {
                CompletableFuture<Integer> stage = new CompletableFuture<>();
                graph.task("load").start(context -> stage);
                CompletableFuture<?> waiting = CompletableFuture.runAsync(graph::await, its -> new Thread(its).start());
                CompletableFuture<?> other = CompletableFuture.runAsync(graph::await, its -> new Thread(its).start());
                next();
                assertEquals(null, told.poll(5 * SOON.toMillis(), TimeUnit.MILLISECONDS));
                stage.complete(1);
                CompletableFuture.allOf(waiting, other).join();
            }
        }
        assertTrue(told.isEmpty());
    }

    @Test
    void aBodyThatTakesLongIsNoStall() throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        try (Session session = watched(2).open()) {
            session.graph().task("long").run(context -> Watchdog.await(over, "the test has looked"));
            CompletableFuture<?> waiting =
                    CompletableFuture.runAsync(session.graph()::await, its -> new Thread(its).start());
            assertEquals(null, told.poll(5 * SOON.toMillis(), TimeUnit.MILLISECONDS));
            over.countDown();
            waiting.join();
        }
        assertTrue(told.isEmpty());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void bodiesThatAreAllBlockedAreNamedWithThoseThatWaitForThem(int workers) throws InterruptedException {
        CountDownLatch opened = new CountDownLatch(1);
        CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> {
            try {
                return next();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            } finally {
                opened.countDown();
            }
        });
        try (Session session = watched(workers).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            TaskGraph graph = session.graph();
            graph.task("waits inside").updates(x).run(context -> Watchdog.await(opened, "the watch"));
            graph.task("behind").updates(x).run(context -> {});
            graph.await();
        }
        assertSays(
                first.join(),
                "nothing has moved for 0.03s, and 2 tasks are not over",
                "\"waits inside\" on worker ",
                "its body has run for that long at least, and is blocked",
                "\"behind\" waits for \"waits inside\" (UPDATE x after UPDATE)");
    }

    /** In a compiled graph, of whose tasks only those are known that have begun. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '|',
            value = {
                "host, its body has run for that long at least and is blocked",
                "emulated0, \"first\" waits for its stage (asynchronous: its kernel runs on emulated0)"
            })
    void aBlockedKernelOfACompiledGraphIsNamedWithWhatIsBehindIt(String where, String why) {
        CountDownLatch goOn = new CountDownLatch(1);
        try (Session session = Session.builder()
                .workers(2)
                .devices("emulated0")
                .stallWatch(SOON, text -> {
                    boolean all = text.contains("2 tasks are not over")
                            && text.contains("\"second\" waits for \"first\"")
                            && text.replace(",", "").contains(why);
                    if (all) { // it may have been slow to begin
                        goOn.countDown();
                    }
                })
                .open()) {
            Data x = session.data().vector("x", new double[1]);
            Kernel blocks = Kernel.named("blocks").onHost(call -> EmulatedKernels.await(goOn));
            ExecutionTarget target = ExecutionTarget.named(where);
            session.record("graph", rec -> {
                        for (String name : List.of("first", "second")) {
                            rec.task(name).updates(x).on(target).run(blocks);
                        }
                    })
                    .run();
        }
    }

    /** Time that passes when a test says so. */
    private static final class Hourglass implements Clock {
        private final AtomicLong time = new AtomicLong(1);
        private final Map<Thread, AtomicLong> readings = new ConcurrentHashMap<>();

        @Override
        public long nanoTime() {
            readings.computeIfAbsent(Thread.currentThread(), any -> new AtomicLong())
                    .incrementAndGet();
            return time.get();
        }

        /** Waits until {@code thread} has asked what time it is. */
        void untilReadBy(Thread thread) {
            long before = readBy(thread);
            Watchdog.until(() -> readBy(thread) != before, thread + " reads the clock");
        }

        private long readBy(Thread thread) {
            AtomicLong its = readings.get(thread);
            return its == null ? 0 : its.get();
        }

        /** Lets time pass, and waits until the timers have done what is due then. */
        void pass(Session session, Duration by) {
            time.addAndGet(by.toNanos());
            CountDownLatch done = new CountDownLatch(1);
            session.executor().schedule(0, done::countDown); // behind what is due before
            Watchdog.await(done, "the timers");
        }
    }

    @Test
    void tasksThatTheWaitDoesNotNeedAreNoProgress() throws InterruptedException {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch opened = new CountDownLatch(1);
        CompletableFuture<Integer> stage = new CompletableFuture<>();
        Hourglass clock = new Hourglass();
        Thread opener = Thread.currentThread();
        try (Session session = watched(2).clock(clock).open()) {
            TaskGraph graph = session.graph();
            graph.task("blocks").run(context -> {
                busy.countDown();
                Watchdog.await(opened, "the watch");
            });
            Watchdog.await(busy, "the other worker is blocked");
            Task<Integer> load = graph.task("load").start(context -> stage);
            graph.task("other").run(context -> {});
            CompletableFuture<?> passes = CompletableFuture.runAsync(
                    () -> {
                        try {
                            for (int i = 0; i < 10 && told.isEmpty(); i++) {
                                clock.untilReadBy(opener); // it has looked for what its wait needs, in vain
                                clock.pass(session, SOON.dividedBy(2));
                            }
                        } finally {
                            stage.complete(1);
                            opened.countDown();
                        }
                    },
                    its -> new Thread(its).start());
            load.join();
            passes.join();
            graph.await();
        }
        assertSays(next(), "\"load\" waits for its stage", "\"blocks\" on worker 1", "\"other\" was put aside");
    }

    @Test
    void whatTheConsumerThrowsComesOutOfTheWait() {
        CompletableFuture<Integer> stage = new CompletableFuture<>();
        IllegalStateException enough = new IllegalStateException("enough");
        try (Session session = Session.builder()
                .workers(2)
                .stallWatch(SOON, text -> {
                    throw enough;
                })
                .open()) {
            session.graph().task("load").start(context -> stage);
            IllegalStateException thrown = assertThrows(IllegalStateException.class, session.graph()::await);
            stage.complete(1); // first, so that the session can be closed
            session.graph().await();
            assertSame(enough, thrown);
        }
    }

    static List<Arguments> thrown() {
        return List.of(
                Arguments.of(new IllegalStateException("enough"), false),
                Arguments.of(new AssertionError("enough"), true),
                Arguments.of(new AssertionError("enough"), false),
                Arguments.of(new CancellationException("enough"), false));
    }

    /** Closing waits for all, whatever the consumer throws; a view whose opening it broke off is given up. */
    @ParameterizedTest
    @MethodSource("thrown")
    void whatTheConsumerThrowsGivesUpNoTask(Throwable enough, boolean opensView) {
        boolean thrown = false;
        while (!thrown) { // else the timer was faster, which tells on a thread of its own
            thrown = throwsOnce(enough, opensView);
        }
    }

    /** Returns true if the consumer was called by the thread that waits. */
    private static boolean throwsOnce(Throwable enough, boolean opensView) {
        CompletableFuture<Integer> stage = new CompletableFuture<>();
        int[] x = new int[1];
        CountDownLatch moves = new CountDownLatch(1);
        Thread opener = Thread.currentThread();
        AtomicBoolean told = new AtomicBoolean();
        Session session = Session.builder()
                .workers(2)
                .stallWatch(SOON, text -> {
                    if (told.getAndSet(true)) { // of the second stall
                        stage.complete(1);
                        return;
                    }
                    moves.countDown();
                    if (Thread.currentThread() == opener) {
                        throwIt(enough);
                    }
                })
                .open();
        CountDownLatch blocks = new CountDownLatch(1);
        Task<?> first = session.graph().task("moves").run(context -> {
            blocks.countDown();
            Watchdog.await(moves, "the first stall is told");
        });
        session.graph().task("moves on").after(first).run(context -> {});
        Watchdog.await(blocks, "the other worker is blocked");
        Handle<int[]> handle = session.wrap("x", x);
        session.graph().task("load").updates(handle).start(context -> stage);
        Task<?> behind = session.graph().task("behind").updates(handle).run(context -> context.get(handle)[0] = 7);
        Throwable thrown = null;
        try (session) {
            if (opensView) {
                session.lock(handle, Mode.READ).close();
            }
        } catch (AssertionError | IllegalStateException e) {
            thrown = e;
        }
        assertEquals(TaskState.DONE, behind.state());
        assertEquals(7, x[0]);
        assertTrue(thrown == null || thrown == enough, () -> "not by the consumer");
        return thrown != null;
    }

    private static void throwIt(Throwable its) {
        if (its instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) its;
    }

    @Test
    void aNegativeTimeIsRefused() {
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Session.builder().stallWatch(Duration.ofSeconds(-1), told::add)),
                "PT-1S",
                "Duration.ZERO");
    }
}
