package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.DeadlineException;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiting, interrupts, and the end of sessions. */
@Timeout(180)
class SessionEndTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void closeWaitsForWorkInFlightAndLeavesNoThread(int workers) {
        AtomicInteger ran = new AtomicInteger();
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        try (Session session = Session.builder().workers(workers).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            for (int i = 0; i < 500; i++) {
                session.graph().task("t").updates(x).run(context -> {
                    threads.add(Thread.currentThread());
                    ran.incrementAndGet();
                });
            }
        }
        assertEquals(500, ran.get());
        threads.remove(Thread.currentThread());
        threads.forEach(thread -> assertFalse(thread.isAlive(), thread + " lives"));
        assertTrue(
                Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("jacquard-worker-")),
                "a worker's thread is left");
    }

    @Test
    void closeThrowsAFailureThatNobodyWaitedForAndEndsTheThreadsAllTheSame() {
        Session session = Session.builder().workers(2).open();
        FailureTest.failing(session.graph(), "lost", session.wrap("x", new int[1]), new IOException("gone"));
        TaskGraph other = session.graph("other", FailurePolicy.CONTINUE);
        FailureTest.failing(other, "lost too", session.wrap("y", new int[1]), new IOException("gone as well"));
        TaskFailedException thrown = assertThrows(TaskFailedException.class, session::close);
        assertMentions(thrown, "task \"lost\" failed");
        assertMentions(thrown.getSuppressed()[0], "task \"lost too\" failed");
        session.close();
    }

    /** The opener is the only worker, and is past the first graph when the body submits to that. */
    @Test
    void closeWaitsForWhatATaskSubmittedToAnEarlierGraphThoughADeadlinePassed() {
        AtomicInteger ran = new AtomicInteger();
        Session session = Session.builder().workers(1).open();
        TaskGraph earlier = session.graph("earlier", FailurePolicy.CONTINUE);
        TaskGraph late = session.graph("late", FailurePolicy.CONTINUE);
        Handle<int[]> x = session.wrap("x", new int[1]);
        late.task("submits").updates(x).run(context -> {
            late.deadline(Duration.ofMillis(1)); // not before the body: it is to begin
            Watchdog.until(late::isCancelled, "the deadline passes");
            earlier.task("submitted").run(inner -> ran.incrementAndGet());
        });
        late.task("never").updates(x).run(context -> ran.addAndGet(10));
        assertThrows(DeadlineException.class, session::close);
        assertEquals(1, ran.get());
    }

    @Test
    void closeAfterAReportedFailureSaysNothingMore() {
        Session session = Session.builder().workers(2).open();
        FailureTest.failing(session.graph(), "told", session.wrap("x", new int[1]), new IOException("gone"));
        assertThrows(TaskFailedException.class, session.graph()::await);
        session.close();
        session.close();
    }

    /** Whichever graph it waits for first: the only worker has to run tasks of the other one meanwhile. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void closeRunsTasksOfAllGraphs(boolean swapped) {
        Session session = Session.builder().workers(1).open();
        List<TaskGraph> graphs =
                List.of(session.graph("a", FailurePolicy.CONTINUE), session.graph("b", FailurePolicy.CONTINUE));
        CompletableFuture<Integer> value = new CompletableFuture<>();
        Task<Integer> waits = graphs.get(swapped ? 1 : 0).task("waits").start(context -> value);
        graphs.get(swapped ? 0 : 1).task("completes").run(context -> value.complete(7));
        session.close();
        assertEquals(7, waits.join());
    }

    @Test
    void closeWhenInterruptedCancelsWhatHasNotStartedAndKeepsTheInterrupt() {
        Session session = Session.builder().workers(2).open();
        Handle<int[]> x = session.wrap("x", new int[1]);
        CountDownLatch begun = new CountDownLatch(1);
        Task<?> running = session.graph().task("running").updates(x).run(context -> {
            begun.countDown();
            Watchdog.until(context::cancelled, "the task is cancelled");
        });
        Task<?> pending = session.graph().task("pending").updates(x).run(context -> {});
        Watchdog.await(begun, "the task runs");
        Thread.currentThread().interrupt();
        session.close();
        assertTrue(Thread.interrupted(), "the interrupt is lost");
        assertEquals(TaskState.DONE, running.state());
        assertEquals(TaskState.CANCELLED, pending.state());
    }

    @Test
    void anInterruptEndsTheWaitAndNotTheTasks() {
        try (Session session = Session.builder().workers(2).open()) {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            Task<Integer> task = session.graph().task("slow").call(context -> {
                begun.countDown();
                Watchdog.await(goOn, "the wait was interrupted");
                return 4;
            });
            Watchdog.await(begun, "the task runs");
            Thread.currentThread().interrupt();
            WaitInterruptedException thrown = assertThrows(WaitInterruptedException.class, task::join);
            assertMentions(thrown, "interrupted while waiting for task \"slow\"; the tasks go on");
            assertTrue(Thread.interrupted(), "the interrupt is lost");
            goOn.countDown();
            assertEquals(4, task.join());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void severalThreadsWaitForOneTaskAndForTheGraph(int workers) {
        try (Session session = Session.builder().workers(workers).open()) {
            TaskGraph graph = session.graph();
            Handle<int[]> x = session.wrap("x", new int[1]);
            List<CompletableFuture<?>> waiters = new ArrayList<>();
            for (int round = 0; round < 50; round++) {
                Task<Integer> task = graph.task("t").updates(x).call(context -> ++context.get(x)[0]);
                int expected = round + 1;
                for (int i = 0; i < 2; i++) {
                    waiters.add(onThread(() -> assertEquals(expected, task.join())));
                }
                waiters.add(onThread(graph::await));
            }
            graph.await();
            Watchdog.until(() -> waiters.stream().allMatch(CompletableFuture::isDone), "every waiter hears of it");
            waiters.forEach(CompletableFuture::join);
        }
    }

    @Test
    void anotherThreadWaitsForTheGraphWithoutTheOpenersHelp() {
        try (Session session = Session.builder().workers(2).open()) {
            for (int round = 0; round < 50; round++) {
                CountDownLatch goOn = new CountDownLatch(1);
                Handle<int[]> x = session.wrap("x", new int[1]);
                session.graph().task("first").updates(x).run(context -> Watchdog.await(goOn, "somebody waits"));
                session.graph().task("last").updates(x).run(context -> {});
                AtomicReference<Thread> waiter = new AtomicReference<>();
                CompletableFuture<Void> waits = onThread(() -> {
                    waiter.set(Thread.currentThread());
                    session.graph().await();
                });
                Watchdog.until(() -> isAsleep(waiter.get()), "the other thread waits");
                goOn.countDown();
                Watchdog.until(waits::isDone, "the other thread hears of the end");
                waits.join();
            }
        }
    }

    /** The engine may have ended before the thread learns that the task has. */
    @Test
    void threadsThatWaitForATaskGetItsResultThoughTheSessionIsClosed() {
        for (int round = 0; round < 200; round++) {
            List<CompletableFuture<?>> waiters = new ArrayList<>();
            CountDownLatch begun = new CountDownLatch(2);
            try (Session session = Session.builder().workers(2).open()) {
                Task<Integer> task = session.graph().task("t").call(context -> {
                    begun.await();
                    return 7;
                });
                for (int i = 0; i < 2; i++) {
                    waiters.add(onThread(() -> {
                        begun.countDown();
                        assertEquals(7, task.join());
                    }));
                }
            }
            Watchdog.until(() -> waiters.stream().allMatch(CompletableFuture::isDone), "both hear of the end");
            waiters.forEach(CompletableFuture::join);
        }
    }

    @Test
    void aTaskMayMakeTheFirstGraphWhileItsSessionIsClosed() {
        AtomicInteger ran = new AtomicInteger();
        AtomicReference<@Nullable TaskGraph> made = new AtomicReference<>();
        Session session = Session.builder().workers(2).open();
        session.graph("first", FailurePolicy.CONTINUE).task("t").run(context -> {
            Watchdog.until(() -> refusesGraphs(session), "the session is about to be closed");
            made.set(session.graph());
            session.graph().task("more").run(inner -> {
                ran.incrementAndGet();
                throw new IOException("told by close");
            });
        });
        assertMentions(assertThrows(TaskFailedException.class, session::close), "told by close");
        assertEquals(1, ran.get());
        assertThrows(IllegalStateException.class, () -> session.graph("late", FailurePolicy.CONTINUE));
    }

    private static boolean refusesGraphs(Session session) {
        try {
            CompletableFuture.runAsync(() -> session.graph("probe", FailurePolicy.CONTINUE))
                    .join();
            return false;
        } catch (CompletionException e) {
            return true;
        }
    }

    private static boolean isAsleep(@Nullable Thread thread) {
        return thread != null
                && (thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
    }

    @Test
    void theOpenerIsAWorkerAndRunsTasksOnlyWhileItWaits() {
        try (Session session = Session.builder().workers(1).open()) {
            Thread opener = Thread.currentThread();
            Task<Boolean> task = session.graph().task("who").call(context -> Thread.currentThread() == opener);
            assertEquals(TaskState.READY, task.state());
            assertTrue(task.join());
        }
    }

    private static CompletableFuture<Void> onThread(Runnable action) {
        return CompletableFuture.runAsync(action, task -> new Thread(task).start());
    }

    /** Fails when it is cancelled, and lets the thread that cancels go on when its task is over. */
    private static final class Failing extends CompletableFuture<Integer> {
        private final TaskGraph graph;

        Failing(TaskGraph graph) {
            this.graph = graph;
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            boolean first = completeExceptionally(new IOException("disk full"));
            while (!graph.isOver()) {
                Thread.onSpinWait();
            }
            return first;
        }
    }

    @Test
    void aCloseThatIsInterruptedTellsAFailureThatComesMeanwhile() {
        Session session = Session.builder().workers(2).open();
        TaskGraph graph = session.graph();
        CountDownLatch begun = new CountDownLatch(1);
        graph.task("save").start(ctx -> {
            begun.countDown();
            return new Failing(graph);
        });
        Watchdog.await(begun, "the task, which is not cancelled, begins");
        Thread.currentThread().interrupt();
        TaskFailedException failure = assertThrows(TaskFailedException.class, session::close);
        assertTrue(Thread.interrupted(), "the interrupt is lost");
        assertMentions(failure, "save", "disk full");
    }
}
