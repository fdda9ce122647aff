package dev.jacquard.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.SeededSchedule.Action;
import dev.jacquard.engine.work.Dispatcher.Timer;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
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
        assertSame(true, Objects.requireNonNull(first.get()).isVirtual());
    }
}
