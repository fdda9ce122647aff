package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a submitter runs itself, and what must not be forgotten because of it. */
class WindowTest {
    private static final int WINDOW = 1024;

    private final List<String> ran = Collections.synchronizedList(new ArrayList<>());

    @Test
    void whatIsReadyRunsAsItIsSubmitted() {
        try (Session session = Session.builder().workers(1).open()) {
            TaskGraph graph = windowed(session);
            Handle<int[]> x = session.wrap("x", new int[1]);
            for (int i = 1; i <= 3; i++) {
                graph.task("step").updates(x).run(ctx -> ctx.get(x)[0]++);
                assertEquals(i, x.value()[0]);
                assertTrue(graph.isOver());
            }
        }
    }

    @Test
    void withoutAWindowNothingRunsBeforeTheWait() {
        try (Session session = Session.builder().workers(1).open()) {
            TaskGraph graph = session.graph();
            graph.task("a").run(ctx -> ran.add("a"));
            assertEquals(List.of(), ran);
            graph.await();
            assertEquals(List.of("a"), ran);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    @Timeout(180)
    void aThreadThatHoldsViewsWaitsForNoRoom(int window) {
        try (Session session = Session.builder().workers(2).open()) {
            TaskGraph graph = session.graph("windowed", FailurePolicy.CONTINUE).window(window);
            Handle<int[]> x = session.wrap("x", new int[1]);
            Handle<int[]> y = session.wrap("y", new int[1]);
            try (UserView one = graph.task("one").writes(x).open();
                    UserView other = graph.task("other").writes(y).open()) {
                for (int i = 0; i < 20; i++) {
                    graph.task("behind").updates(x).run(ctx -> ctx.get(x)[0]++);
                }
                assertTrue(one.isOpen() && other.isOpen());
            }
            graph.await();
            assertEquals(20, x.value()[0]);
        }
    }

    @Test
    void aPolicyDecidesWhatRuns() {
        try (Session session =
                Session.builder().workers(1).policy(Policies.named("fifo")).open()) {
            TaskGraph graph = windowed(session);
            graph.task("a").run(ctx -> ran.add("a"));
            assertEquals(List.of(), ran);
            graph.await();
        }
    }

    @Test
    void theSubmitterHelpsOnceTheOthersHaveEnough() throws InterruptedException {
        int workers = 4;
        CountDownLatch busy = new CountDownLatch(workers - 1);
        CountDownLatch free = new CountDownLatch(1);
        Thread submitter = Thread.currentThread();
        List<Thread> runners = Collections.synchronizedList(new ArrayList<>());
        try (Session session = Session.builder().workers(workers).open()) {
            TaskGraph graph = windowed(session);
            for (int i = 1; i < workers; i++) {
                graph.task("blocks").run(ctx -> {
                    busy.countDown();
                    free.await();
                });
            }
            busy.await();
            int queued = 0;
            while (runners.isEmpty()) {
                graph.task("short").run(ctx -> runners.add(Thread.currentThread()));
                queued++;
                assertTrue(queued < WINDOW / 2, "with that many tasks waiting the submitter must run one");
            }
            assertSame(submitter, runners.getFirst());
            assertTrue(queued > workers, () -> "the other workers have less than a task each");
            free.countDown();
            graph.await();
            assertEquals(queued, runners.size());
        }
    }

    @Test
    void noTaskIsKeptWhileAnotherWorkerHasNothing() {
        try (Session session = Session.builder().workers(2).open()) {
            TaskGraph graph = windowed(session);
            for (int i = 0; i < 100_000; i++) {
                graph.task("short").run(ctx -> {});
            }
            graph.await();
            AtomicInteger kept = new AtomicInteger();
            for (int i = 0; i < 128; i++) { // whatever the number of tasks before it
                CountDownLatch submitted = new CountDownLatch(1);
                graph.task("waits").run(ctx -> {
                    if (!submitted.await(10, TimeUnit.SECONDS)) {
                        kept.incrementAndGet();
                    }
                });
                submitted.countDown();
                assertEquals(0, kept.get(), "the task ran before its submission returned");
                graph.task("short").run(ctx -> {});
                graph.await();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void othersHearOfWhatASubmitterRanLast(int workers) throws InterruptedException {
        try (Session session = Session.builder()
                .workers(workers)
                .stallWatch(Duration.ZERO, ignored -> {})
                .open()) {
            TaskGraph graph = windowed(session);
            Handle<int[]> x = session.wrap("x", new int[1]);
            Thread[] waits = new Thread[1];
            graph.task("last").updates(x).run(ctx -> {
                waits[0] = Thread.ofPlatform().start(graph::await);
                Watchdog.until(() -> waits[0].getState() == Thread.State.WAITING, "another thread waits");
            });
            Watchdog.until(() -> waits[0] != null && !waits[0].isAlive(), "the other thread hears of the end");
        }
    }

    @Test
    void severalSubmittersKeepWithinTheWindow() throws InterruptedException {
        int most = 64;
        int submitters = 4;
        AtomicLong submitted = new AtomicLong();
        AtomicLong over = new AtomicLong();
        AtomicLong mostLive = new AtomicLong();
        try (Session session = Session.builder().workers(2).open()) {
            TaskGraph graph = session.graph().window(most);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < submitters; i++) {
                threads.add(Thread.ofPlatform().start(() -> {
                    for (int task = 0; task < 2_000; task++) {
                        long live = submitted.incrementAndGet() - over.get();
                        mostLive.accumulateAndGet(live, Math::max);
                        graph.task("task").run(ctx -> over.incrementAndGet());
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            graph.await();
        }
        int allowed = most + submitters * (most / 8) + submitters;
        assertTrue(mostLive.get() <= allowed, () -> mostLive + " tasks were live at a time");
    }

    /** Its task is live while it submits, and a window of one task would be full of that. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    @Timeout(180)
    void aFunctionThatADriverRunsWaitsForNoRoom(int window) {
        try (Session session = Session.builder().workers(2).open()) {
            TaskGraph graph = session.graph("windowed", FailurePolicy.CONTINUE).window(window);
            Handle<int[]> x = session.wrap("x", new int[1]);
            graph.task("driven").writes(x).startOn(session.executor()::background, ctx -> {
                for (int i = 0; i < 20; i++) {
                    graph.task("behind").updates(x).run(behind -> behind.get(x)[0]++);
                }
                return 0;
            });
            graph.await();
            assertEquals(20, x.value()[0]);
        }
    }

    @Test
    void aTaskThatSubmitsIsNotInterruptedByOthers() {
        try (Session session = Session.builder().workers(1).open()) {
            TaskGraph graph = windowed(session);
            graph.task("outer").run(ctx -> {
                graph.task("inner").run(inner -> ran.add("inner"));
                ran.add("outer");
            });
            graph.await();
            assertEquals(List.of("outer", "inner"), ran);
        }
    }

    @Test
    void anInterruptIsForTheNextWait() {
        try (Session session = Session.builder().workers(1).open()) {
            TaskGraph graph = windowed(session);
            Thread.currentThread().interrupt();
            graph.task("a").run(ctx -> ran.add("a"));
            assertEquals(List.of(), ran);
            assertTrue(Thread.interrupted());
            graph.await();
            assertEquals(List.of("a"), ran);
        }
    }

    @Test
    void aFailureComesOutOfTheWait() {
        try (Session session = Session.builder().workers(1).open()) {
            TaskGraph graph = windowed(session);
            Handle<int[]> x = session.wrap("x", new int[1]);
            graph.task("fails").updates(x).run(ctx -> {
                throw new IllegalStateException("broken");
            });
            graph.task("other").run(ctx -> ran.add("other"));
            graph.task("reads").reads(x).run(ctx -> ran.add("reads"));
            assertEquals(List.of("other"), ran);
            TaskFailedException told = assertThrows(TaskFailedException.class, graph::await);
            assertTrue(String.valueOf(told.getCause()).contains("broken"), told::toString);
            assertEquals(1, graph.report().cancelled());
        }
    }

    @Test
    void whatIsNotOverIsNotForgotten() {
        try (Session session = Session.builder().workers(1).open()) {
            TaskGraph graph = windowed(session);
            verifyOrder(session, graph, graph);
        }
    }

    @Test
    void whatIsNotOverInAnotherGraphIsNotForgotten() {
        try (Session session = Session.builder().workers(1).open()) {
            verifyOrder(session, windowed(session), windowed(session));
        }
    }

    @Test
    void aGraphThatWasBusyBeforeTheLastWaitIsNotForgottenLater() {
        try (Session session = Session.builder().workers(1).open()) {
            TaskGraph one = windowed(session);
            TaskGraph other = windowed(session);
            one.task("first").run(ctx -> {});
            other.task("second").run(ctx -> {});
            one.await();
            verifyOrder(session, one, other);
            verifyOrder(session, other, one);
        }
    }

    @Test
    void whatIsRefinedWhileNothingElseIsLiveIsMetByLaterTasks() {
        try (Session session = Session.builder().workers(1).open()) {
            TaskGraph graph = windowed(session);
            Handle<int[]> x = session.wrap("x", new int[1]);
            runSome(graph, x);
            graph.task("whole").updates(x).run(ctx -> {
                ctx.refine(sub -> sub.task("part").updates(x).run(inner -> ran.add("part")));
                ran.add("whole");
            });
            graph.task("after").reads(x).run(ctx -> ran.add("after"));
            graph.await();
            assertEquals(3, ran.size());
            assertEquals("after", ran.getLast());
        }
    }

    @Test
    void whatRunsWhileNothingElseIsLiveIsMetByOtherSubmitters() {
        try (Session session = Session.builder().workers(1).open()) {
            TaskGraph graph = windowed(session);
            Handle<int[]> x = session.wrap("x", new int[1]);
            runSome(graph, x);
            graph.task("whole").updates(x).run(ctx -> {
                Thread other = Thread.ofPlatform()
                        .start(() -> graph.task("after").reads(x).run(inner -> ran.add("after")));
                other.join();
                ctx.refine(sub -> sub.task("part").updates(x).run(inner -> ran.add("part")));
            });
            graph.await();
            assertEquals(List.of("part", "after"), ran);
        }
    }

    @Test
    void whatIsGivenUpWhileNothingElseIsLiveHoldsNobodyUp() {
        try (Session session = Session.builder().workers(1).open()) {
            TaskGraph graph = windowed(session);
            Handle<int[]> x = session.wrap("x", new int[1]);
            Handle<int[]> y = session.wrap("y", new int[1]);
            runSome(graph, x);
            graph.task("whole").updates(x).updates(y).run(ctx -> {
                ctx.demote(x, Mode.NONE);
                ctx.afterwards(rest -> ran.add("rest"));
                ctx.refine(sub -> sub.task("part").updates(y).run(inner -> ran.add("part")));
                graph.task("free").updates(x).run(inner -> ran.add("free"));
                graph.task("after").updates(y).run(inner -> ran.add("after"));
            });
            graph.await();
            assertEquals(
                    List.of("part", "rest", "after"),
                    ran.stream().filter(name -> !name.equals("free")).toList());
            assertTrue(ran.indexOf("free") < ran.indexOf("rest"), ran::toString);
        }
    }

    /** From then on nothing is live, and nothing is known of what was. */
    private static void runSome(TaskGraph graph, Handle<int[]> x) {
        Thread[] last = new Thread[1];
        Watchdog.until(
                () -> {
                    for (int i = 0; i < 3; i++) {
                        graph.task("some").updates(x).run(ctx -> last[0] = Thread.currentThread());
                    }
                    return graph.isOver() && last[0] == Thread.currentThread();
                },
                "tasks run as they are submitted");
    }

    /**
     * {@code slow} has a task that is not over; {@code quick} runs some at once, and then one that must wait for it.
     */
    private void verifyOrder(Session session, TaskGraph slow, TaskGraph quick) {
        ran.clear();
        CompletableFuture<String> stage = new CompletableFuture<>();
        Handle<int[]> x = session.wrap("x", new int[1]);
        Handle<int[]> y = session.wrap("y", new int[1]);
        slow.task("slow").updates(x).start(ctx -> stage);
        for (int i = 0; i < 3; i++) {
            quick.task("quick").updates(y).run(ctx -> ran.add("quick"));
        }
        quick.task("after").reads(x).reads(y).run(ctx -> ran.add(stage.isDone() ? "after" : "too early"));
        assertEquals(List.of("quick", "quick", "quick"), ran);
        assertFalse(quick.isOver());
        stage.complete("");
        quick.await();
        slow.await();
        assertEquals("after", ran.getLast());
    }

    private static TaskGraph windowed(Session session) {
        return session.graph("windowed", FailurePolicy.CONTINUE).window(WINDOW);
    }
}
