package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How threads wait for tasks: when they hear of the end, what wakes them, and what an interrupt does. */
@Timeout(120)
class WaitingTest {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aThreadHearsOfTheEndWhileTheWorkerGoesOnWithOtherTasks(boolean ofAll) {
        try (Session session = Session.builder().workers(1).open()) {
            TaskGraph big = session.graph("big", FailurePolicy.CONTINUE);
            TaskGraph small = session.graph("small", FailurePolicy.CONTINUE);
            Handle<int[]> x = session.wrap("x", new int[1]);
            Thread[] other = new Thread[1];
            CountDownLatch submitted = new CountDownLatch(1);
            big.task("begins").updates(x).run(ctx -> {
                other[0] = Thread.ofPlatform().start(() -> {
                    Task<?> task = small.task("short").run(inner -> {});
                    submitted.countDown();
                    if (ofAll) {
                        small.await();
                    } else {
                        task.join();
                    }
                });
                Watchdog.await(submitted, "the other thread submits");
                Watchdog.until(() -> isAsleep(other[0]), "the other thread waits");
            });
            big.task("short").updates(x).run(ctx -> {});
            big.task("long")
                    .updates(x)
                    .run(ctx -> Watchdog.until(() -> !other[0].isAlive(), "the other thread goes on"));
            big.await();
        }
    }

    @Test
    void theEndOfATaskWakesNoThreadThatWaitsForAnother() {
        int waiting = 8;
        int ends = 200;
        AtomicInteger woken = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        AtomicBoolean count = new AtomicBoolean();
        // A thread that waits reads the clock whenever it wakes.
        SessionBuilder builder = Session.builder()
                .workers(2)
                .stallWatch(Duration.ofHours(1), text -> {})
                .clock(() -> {
                    if (count.get() && threads.contains(Thread.currentThread())) {
                        woken.incrementAndGet();
                    }
                    return System.nanoTime();
                });
        CompletableFuture<String> stage = new CompletableFuture<>();
        try (Session session = builder.open()) {
            TaskGraph graph = session.graph();
            for (int i = 0; i < waiting; i++) {
                Task<String> slow = graph.task("slow").start(ctx -> stage);
                threads.add(Thread.ofPlatform().start(slow::join));
            }
            Watchdog.until(() -> threads.stream().allMatch(WaitingTest::isAsleep), "all wait");
            count.set(true);
            TaskGraph other = session.graph("other", FailurePolicy.CONTINUE);
            for (int i = 0; i < ends; i++) {
                other.task("short").run(ctx -> {}).join();
            }
            count.set(false);
            stage.complete("");
            Watchdog.until(() -> threads.stream().noneMatch(Thread::isAlive), "all hear of the end");
        }
        assertTrue(woken.get() < ends, () -> woken + " times a thread woke for the end of another task");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void everyThreadHearsOfTheEndOfAGraph(int workers) {
        try (Session session = Session.builder().workers(workers).open()) {
            for (int round = 0; round < 200; round++) {
                TaskGraph graph = session.graph("round", FailurePolicy.CONTINUE).window(round % 2 == 0 ? 16 : 1000);
                List<Thread> threads = new ArrayList<>();
                AtomicInteger ran = new AtomicInteger();
                for (int i = 0; i < 3; i++) {
                    threads.add(Thread.ofPlatform().start(() -> {
                        for (int task = 0; task < 40; task++) {
                            graph.task("task").run(ctx -> ran.incrementAndGet());
                        }
                        graph.await();
                    }));
                }
                graph.await();
                Watchdog.until(
                        () -> {
                            graph.await(); // the opener's: with one worker nothing runs unless it waits
                            return threads.stream().noneMatch(Thread::isAlive);
                        },
                        "all hear of the end");
                assertEquals(120, ran.get());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void anInterruptThatABodyLeavesBehindDoesNotEndTheOpenersWait(int window) {
        AtomicInteger saw = new AtomicInteger();
        AtomicInteger ran = new AtomicInteger();
        try (Session session = Session.builder().workers(1).open()) {
            TaskGraph graph = session.graph();
            if (window > 0) {
                graph.window(window);
            }
            graph.task("leaves an interrupt").run(ctx -> Thread.currentThread().interrupt());
            for (int i = 0; i < 10; i++) {
                graph.task("other").run(ctx -> {
                    ran.incrementAndGet();
                    saw.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
                });
            }
            graph.await();
            assertEquals(10, ran.get());
            assertFalse(Thread.currentThread().isInterrupted());
            graph.task("last").run(ctx -> {});
            graph.await();
        }
        assertEquals(0, saw.get());
        assertFalse(Thread.currentThread().isInterrupted());
    }

    @Test
    void anInterruptOfTheOpenerEndsItsWait() throws InterruptedException {
        Thread opener = Thread.currentThread();
        CompletableFuture<String> stage = new CompletableFuture<>();
        try (Session session = Session.builder().workers(2).open()) {
            TaskGraph graph = session.graph();
            graph.task("slow").start(ctx -> stage);
            Thread other = Thread.ofPlatform().start(() -> {
                Watchdog.until(() -> isAsleep(opener), "the opener waits");
                opener.interrupt();
            });
            assertThrows(WaitInterruptedException.class, graph::await);
            assertTrue(Thread.interrupted());
            other.join();
            stage.complete("");
            graph.await();
        }
    }

    private static boolean isAsleep(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }
}
