package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.core.graph.DeadlineException;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskListener;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.graph.TaskTimeoutException;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.testkit.BusyCarriers;
import dev.jacquard.testkit.Watchdog;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Users' code that computes or blocks holds up neither the engine's own actions nor other such code. */
@Timeout(180)
class BusyBackgroundTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final int MANY = 2 * Runtime.getRuntime().availableProcessors();

    /** A body that ends by an interrupt alone. */
    private static final TaskBody SLEEPS = context -> new CountDownLatch(1).await();

    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CountDownLatch blocked = new CountDownLatch(1);
    private final CompletableFuture<String> told = new CompletableFuture<>();
    private final CompletableFuture<Integer> stage = new CompletableFuture<>();
    private volatile TaskListener listener = change -> {};
    private final Session session = Session.builder()
            .workers(2)
            .stallWatch(Duration.ofMillis(50), told::complete)
            .listener(change -> listener.changed(change))
            .open();
    private final TaskGraph others = session.graph("others", FailurePolicy.CONTINUE);
    private final TaskGraph graph = session.graph("graph", FailurePolicy.CONTINUE);

    @AfterEach
    void close() {
        goOn.countDown();
        stage.complete(1);
        session.close();
    }

    private static <T> T soon(CompletableFuture<T> future) {
        Watchdog.until(future::isDone, "it is complete");
        return future.join();
    }

    /** What holds all threads that a fixed number of them would have. */
    enum Holder {
        FUNCTIONS,
        VIRTUAL_THREADS
    }

    /** Runs {@code action} while functions of drivers, or virtual threads of the program, compute. */
    private void whileBusy(Holder holder, Runnable action) {
        if (holder == Holder.VIRTUAL_THREADS) {
            try (BusyCarriers _ = new BusyCarriers()) {
                action.run();
            }
            return;
        }
        CountDownLatch begun = new CountDownLatch(MANY);
        for (int i = 0; i < MANY; i++) {
            others.task("computes").startOn(session.executor()::background, context -> {
                begun.countDown();
                while (goOn.getCount() > 0) {
                    Thread.onSpinWait();
                }
                return 1;
            });
        }
        Watchdog.await(begun, "all functions run");
        try {
            action.run();
        } finally {
            goOn.countDown();
        }
        others.await();
    }

    @ParameterizedTest
    @EnumSource
    void aDeadlineIsTold(Holder holder) {
        whileBusy(holder, () -> {
            graph.task("sleeps").interruptible().run(SLEEPS);
            graph.deadline(SHORT);
            assertThrows(DeadlineException.class, graph::await);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aTimeLimitIsTold(Holder holder) {
        whileBusy(holder, () -> {
            Task<?> sleeps = graph.task("sleeps").timeLimit(SHORT).run(SLEEPS);
            assertInstanceOf(
                    TaskTimeoutException.class,
                    assertThrows(TaskFailedException.class, sleeps::join).getCause());
        });
    }

    @ParameterizedTest
    @EnumSource
    void dependentsOfAStageRun(Holder holder) {
        CountDownLatch attached = new CountDownLatch(1);
        whileBusy(holder, () -> {
            Task<Integer> quick = graph.task("quick").call(context -> {
                Watchdog.await(attached, "the stage has a dependent");
                return 1;
            });
            CompletableFuture<Integer> then =
                    quick.stage().thenApply(value -> value + 1).toCompletableFuture();
            attached.countDown();
            assertEquals(2, soon(then));
        });
    }

    /** The body ignores its limit; the warning that names it comes while it runs. */
    @ParameterizedTest
    @EnumSource
    void aBodyThatIgnoresItsLimitIsNamed(Holder holder) {
        CompletableFuture<String> warned = new CompletableFuture<>();
        AtomicBoolean over = new AtomicBoolean();
        whileBusy(holder, () -> {
            try (Session other = Session.builder()
                    .workers(2)
                    .stallWatch(Duration.ZERO, warned::complete)
                    .open()) {
                CountDownLatch begun = new CountDownLatch(1);
                Task<?> deaf = other.graph().task("deaf").timeLimit(SHORT).run(context -> {
                    begun.countDown();
                    while (!over.get()) {
                        Thread.onSpinWait();
                    }
                });
                try {
                    Watchdog.await(begun, "a worker runs the body"); // so that the opener does not
                    assertThrows(TaskFailedException.class, deaf::join);
                    String text = soon(warned);
                    assertTrue(text.startsWith("task \"deaf\" has not ended"), text);
                } finally {
                    over.set(true);
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aStallIsTold(Holder holder) {
        whileBusy(holder, () -> {
            graph.task("load").start(context -> stage);
            CompletableFuture<Void> _ = told.thenRun(() -> stage.complete(1));
            graph.await();
            assertTrue(soon(told).contains("\"load\" waits for its stage"), told::join);
        });
    }

    @Test
    void functionsWaitForEachOther() {
        CyclicBarrier together = new CyclicBarrier(MANY + 1);
        for (int i = 0; i <= MANY; i++) {
            graph.task("meets").startOn(session.executor()::background, context -> together.await());
        }
        graph.await();
        assertEquals(MANY + 1, graph.report().done());
    }

    @Test
    void functionsRunOnVirtualThreadsOnRequest() {
        CyclicBarrier together = new CyclicBarrier(1_000);
        Set<Boolean> virtual = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 1_000; i++) {
            graph.task("waits").startOn(session.executor()::virtualThread, context -> {
                virtual.add(Thread.currentThread().isVirtual());
                return together.await();
            });
        }
        graph.await();
        assertEquals(Set.of(true), virtual);
    }

    // ---- users' code at a deadline or limit

    /** Asserts that a deadline is told while the code that {@code blocked} announces blocks. */
    private void assertADeadlineIsTold() {
        Watchdog.await(blocked, "users' code blocks");
        TaskGraph later = session.graph("later", FailurePolicy.CONTINUE);
        later.task("sleeps").interruptible().run(SLEEPS);
        later.deadline(SHORT);
        assertThrows(DeadlineException.class, later::await);
        goOn.countDown();
    }

    private void block() {
        blocked.countDown();
        Watchdog.await(goOn, "the other deadline is told");
    }

    private CompletableFuture<Integer> blocksInItsCancel() {
        return new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                block();
                return super.cancel(mayInterrupt);
            }
        };
    }

    @Test
    void aStageThatBlocksInItsCancelDelaysNoDeadline() {
        graph.task("load").start(context -> blocksInItsCancel());
        graph.deadline(SHORT);
        assertADeadlineIsTold();
        assertThrows(DeadlineException.class, graph::await);
    }

    @Test
    void aStageThatBlocksInItsCancelAtALimitDelaysNoDeadline() {
        Task<Integer> load = graph.task("load").timeLimit(SHORT).start(context -> blocksInItsCancel());
        assertThrows(TaskFailedException.class, load::join);
        assertADeadlineIsTold();
    }

    /** It does not wait for the stage, nor for its cancel. */
    @Test
    void anAbandonedStageThatBlocksInItsCancelDelaysNotItsTask() {
        Task<Integer> load = graph.task("load").timeLimit(SHORT).abandonable().start(context -> blocksInItsCancel());
        Watchdog.await(blocked, "the stage is cancelled");
        assertThrows(TaskFailedException.class, graph::await);
        assertEquals(TaskState.FAILED, load.state());
        goOn.countDown();
    }

    @Test
    void aListenerThatBlocksAtADeadlineDelaysNoOther() {
        listener = change -> {
            if (change.task().equals("waits") && change.state() == TaskState.READY) {
                block();
            }
        };
        graph.task("waits").afterTag("never", Task.TagMembers.MAY_STILL_COME).run(context -> {});
        graph.deadline(SHORT);
        assertADeadlineIsTold();
        assertThrows(DeadlineException.class, graph::await);
    }

    @Test
    void anAccessThatBlocksInItsTextDelaysNoDeadline() {
        Resource x = session.resource("x");
        Access silent = new WritingAccess() {
            @Override
            public boolean conflictsWith(Access earlier) {
                return true;
            }

            @Override
            public String toString() {
                block();
                return "silent";
            }
        };
        graph.task("sleeps").accesses(x, silent).timeLimit(SHORT).run(SLEEPS);
        assertADeadlineIsTold();
        assertThrows(TaskFailedException.class, graph::await);
    }

    // ---- the end

    @Test
    void noThreadIsLeftBehindTheSession() {
        Set<Thread> used = ConcurrentHashMap.newKeySet();
        try (Session other = Session.builder().workers(2).open()) {
            CyclicBarrier together = new CyclicBarrier(MANY);
            for (int i = 0; i < MANY; i++) {
                other.graph().task("meets").startOn(other.executor()::background, context -> {
                    used.add(Thread.currentThread());
                    return together.await();
                });
            }
            Task<Integer> quick = other.graph().task("quick").call(context -> 1);
            quick.stage().thenRun(() -> used.add(Thread.currentThread()));
            other.graph().await();
        }
        used.remove(Thread.currentThread()); // which attached the dependent, perhaps too late
        assertTrue(used.size() >= MANY);
        assertFalse(used.stream().anyMatch(Thread::isVirtual));
        used.forEach(Threads::join);
    }
}
