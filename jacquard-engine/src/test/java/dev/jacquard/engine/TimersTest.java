package dev.jacquard.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.SeededSchedule.Action;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.ReadyOrder;
import dev.jacquard.engine.work.Dispatcher.Timer;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.testkit.BusyCarriers;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class TimersTest {
    @Test
    void actionsRunInTheOrderOfTheirTimes() {
        AtomicLong now = new AtomicLong(1_000);
        Timers timers = new Timers(now::get);
        List<String> ran = new ArrayList<>();
        timers.schedule(20, () -> ran.add("third"));
        timers.schedule(10, () -> ran.add("first"));
        timers.schedule(10, () -> ran.add("second"));
        timers.schedule(Long.MAX_VALUE, () -> ran.add("never"));
        assertEquals(10, timers.runDue());
        now.addAndGet(10);
        assertEquals(10, timers.runDue());
        now.addAndGet(10);
        timers.runDue();
        assertEquals(List.of("first", "second", "third"), ran);
    }

    @Test
    void aCancelledActionDoesNotRun() {
        AtomicLong now = new AtomicLong();
        Timers timers = new Timers(now::get);
        AtomicInteger ran = new AtomicInteger();
        Timer cancelled = timers.schedule(5, ran::incrementAndGet);
        Timer over = timers.schedule(5, ran::incrementAndGet);
        assertTrue(cancelled.cancel());
        assertFalse(cancelled.cancel());
        now.set(5);
        timers.runDue();
        assertEquals(1, ran.get());
        assertFalse(over.cancel());
    }

    @Test
    void cancelledActionsDoNotPileUp() {
        Timers timers = new Timers(() -> 0);
        List<Timer> all = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            all.add(timers.schedule(1_000_000 + i, () -> {}));
        }
        all.subList(0, 990).forEach(Timer::cancel);
        assertEquals(10, timers.pending());
        all.forEach(Timer::cancel);
        assertEquals(0, timers.pending());
    }

    @Test
    void anActionThatFailsLeavesTheOthers() {
        Timers timers = new Timers(() -> 0);
        AtomicInteger ran = new AtomicInteger();
        timers.schedule(0, () -> {
            throw new IllegalStateException("planned");
        });
        timers.schedule(0, ran::incrementAndGet);
        timers.runDue();
        assertEquals(1, ran.get());
    }

    @Test
    void anErrorOfTheMachineOnTheThreadOfTimersEndsTheEngine() {
        OutOfMemoryError full = new OutOfMemoryError("no room for a thread");
        try (Engine engine = new Engine(EngineOptions.of(1), new Trace(Clock.system(), 0)).start()) {
            engine.pool().timers.schedule(1, () -> {
                throw full;
            });
            IllegalStateException ended =
                    assertThrows(IllegalStateException.class, () -> engine.awaitUntil(() -> false));
            assertSame(full, ended.getCause());
        }
    }

    @Test
    void anActionThatTakesLongDelaysNoOther() {
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch both = new CountDownLatch(2);
        try (Engine engine = Engine.of(1)) {
            engine.schedule(0, () -> {
                Watchdog.await(goOn, "the later action");
                both.countDown();
            });
            engine.schedule(1_000_000, () -> {
                goOn.countDown();
                both.countDown();
            });
            Watchdog.await(both, "both actions");
        }
    }

    @Test
    void anEngineRunsItsOwnOnAThreadThatEndsWithIt() {
        AtomicReference<Thread> thread = new AtomicReference<>();
        CountDownLatch ran = new CountDownLatch(2);
        try (Engine engine = new Engine(EngineOptions.of(1), new Trace(Clock.system(), 0)).start()) {
            engine.pool().timers.schedule(60_000_000_000L, () -> {
                throw new AssertionError("a minute has not passed");
            });
            engine.pool().timers.schedule(1_000_000, () -> {
                thread.set(Thread.currentThread());
                Thread.currentThread().interrupt();
                ran.countDown();
                engine.pool().timers.schedule(1, ran::countDown);
            });
            Watchdog.await(ran, "both actions run");
        }
        assertFalse(Objects.requireNonNull(thread.get()).isAlive());
    }

    @Test
    void whoNeedsNoTimersHasNoThread() {
        Timers timers = new Timers(Clock.system());
        timers.start();
        assertNull(timers.close());
        assertFalse(timers.schedule(0, () -> {}).cancel());
    }

    @Test
    void theSeededScheduleDrivesTimers() {
        for (long seed = 0; seed < 50; seed++) {
            SeededSchedule schedule = new SeededSchedule(seed, 2);
            AtomicInteger left = new AtomicInteger(3);
            Node node = new Node() {
                @Override
                public void run(WorkerContext worker) {
                    if (left.decrementAndGet() > 0) {
                        schedule.engine()
                                .schedule(1_000_000, () -> schedule.engine().ready(this));
                    }
                }
            };
            schedule.play(List.of(new Action(true, () -> schedule.engine().ready(node))), () -> left.get() == 0);
        }
    }

    @Test
    void backgroundActionsMayBlockBesideTheWorkers() {
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicReference<Thread> first = new AtomicReference<>();
        CountDownLatch both = new CountDownLatch(2);
        try (Engine engine = Engine.of(1)) {
            engine.background(() -> {
                first.set(Thread.currentThread());
                Watchdog.await(goOn, "the other goes on");
                both.countDown();
            });
            engine.background(() -> {
                goOn.countDown();
                both.countDown();
            });
            Watchdog.await(both, "both run");
        }
        assertFalse(Objects.requireNonNull(first.get()).isVirtual());
    }

    @Test
    void aDriverOfVirtualThreadsIsThereOnRequest() {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        try (Engine engine = Engine.of(1)) {
            engine.virtualThread(() -> thread.complete(Thread.currentThread()));
            assertTrue(thread.join().isVirtual());
        }
    }

    /** A program's own virtual threads that compute hold up nothing of the engine's. */
    @Test
    void busyVirtualThreadsHoldUpNoActions() {
        CountDownLatch all = new CountDownLatch(4);
        try (Engine engine = Engine.of(1);
                BusyCarriers _ = new BusyCarriers()) {
            engine.schedule(1, all::countDown);
            engine.scheduleOnTimer(1, all::countDown);
            engine.background(all::countDown);
            engine.scheduleOnTimer(1, () -> engine.runUserCode(all::countDown));
            Watchdog.await(all, "all actions run");
        }
    }

    /** As many actions as there are processors compute until a later one has run. */
    @Test
    void busyActionsHoldUpNoOthers() {
        CountDownLatch later = new CountDownLatch(2);
        int busy = Runtime.getRuntime().availableProcessors();
        CountDownLatch begun = new CountDownLatch(busy);
        CountDownLatch over = new CountDownLatch(busy);
        try (Engine engine = Engine.of(1)) {
            for (int i = 0; i < busy; i++) {
                engine.background(() -> {
                    begun.countDown();
                    while (later.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                    over.countDown();
                });
            }
            Watchdog.await(begun, "all compute");
            engine.scheduleOnTimer(1, later::countDown);
            engine.schedule(1, later::countDown);
            Watchdog.await(over, "all end");
        }
    }

    @Test
    void usersCodeLeavesTheThreadOfTheTimers() {
        CompletableFuture<Thread> timer = new CompletableFuture<>();
        CompletableFuture<Thread> users = new CompletableFuture<>();
        try (Engine engine = Engine.of(1)) {
            engine.scheduleOnTimer(1, () -> {
                timer.complete(Thread.currentThread());
                engine.runUserCode(() -> users.complete(Thread.currentThread()));
            });
            assertEquals("jacquard-timer", timer.join().getName());
            assertNotSame(timer.join(), users.join());
            CompletableFuture<Thread> other = new CompletableFuture<>();
            engine.runUserCode(() -> other.complete(Thread.currentThread()));
            assertSame(Thread.currentThread(), other.getNow(null));
        }
    }

    /** A policy is users' code: one that blocks in a push by the timers holds up no other action of theirs. */
    @Test
    void aPolicyThatBlocksHoldsUpNoActions() {
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch pushes = new CountDownLatch(1);
        CountDownLatch ran = new CountDownLatch(1);
        Policy blocks = new Policy() {
            @Override
            public String name() {
                return "blocks";
            }

            @Override
            public ReadyOrder order() {
                Queue<ReadyTask> tasks = new ConcurrentLinkedQueue<>();
                return new ReadyOrder() {
                    @Override
                    public void push(ReadyTask task) {
                        pushes.countDown();
                        Watchdog.await(goOn, "a later action");
                        tasks.add(task);
                    }

                    @Override
                    public @Nullable ReadyTask pop(int worker) {
                        return tasks.poll();
                    }
                };
            }
        };
        Node node = new Node() {
            @Override
            public void run(WorkerContext worker) {
                ran.countDown();
            }
        };
        EngineOptions options = EngineOptions.of(2).withPolicy(blocks);
        try (Engine engine = new Engine(options, new Trace(Clock.system(), 0)).start()) {
            engine.scheduleOnTimer(1, () -> {
                engine.ready(node);
                engine.scheduleOnTimer(1, goOn::countDown);
            });
            Watchdog.await(pushes, "the policy is asked");
            Watchdog.await(ran, "the node runs");
        }
    }

    @Test
    void closingEndsTheThreadsOfTheBackground() {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        try (Engine engine = Engine.of(1)) {
            engine.background(() -> thread.complete(Thread.currentThread()));
            Thread its = thread.join();
            Watchdog.until(() -> its.getState() == Thread.State.TIMED_WAITING, "the thread is idle");
        }
        assertFalse(thread.join().isAlive());
    }
}
