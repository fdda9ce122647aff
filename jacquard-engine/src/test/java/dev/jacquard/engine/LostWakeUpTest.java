package dev.jacquard.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.testkit.Watchdog;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A thread that waits may be woken while it waits for a lock on the way to sleep, and is woken once; or a wake-up stops
 * half way.
 */
@Timeout(180)
class LostWakeUpTest {
    private final AtomicBoolean done = new AtomicBoolean();
    private final Engine engine = new Engine(EngineOptions.of(1), new Trace(Clock.system(), 0));

    /** The event, and a wait for a lock that takes the permit. */
    private void happens() {
        if (!done.getAndSet(true)) {
            engine.pool().waiters.signal();
            LockSupport.parkNanos(TimeUnit.HOURS.toNanos(1)); // returns at once
        }
    }

    private void watch(Runnable look) {
        engine.watchStalls(
                TimeUnit.HOURS.toNanos(1),
                () -> {
                    look.run();
                    return 0;
                },
                () -> true);
    }

    @Test
    void whileItLooksForAStall() throws InterruptedException {
        AtomicBoolean asked = new AtomicBoolean(); // before the thread sleeps there is nobody to wake
        watch(() -> {
            if (asked.get() && engine.pool().waiters.any()) {
                happens();
            }
        });
        engine.awaitUntil(() -> {
            asked.set(true);
            return done.get();
        });
        assertTrue(done.get());
    }

    @Test
    void whileItAsks() throws InterruptedException {
        watch(() -> {});
        engine.awaitUntil(() -> {
            boolean isDone = done.get();
            if (engine.pool().waiters.any()) {
                happens();
            }
            return isDone;
        });
        assertTrue(done.get());
    }

    /** As when the stack of the thread that was to wake it was full behind the first half of that. */
    @Test
    void closeEndsAWorkerThatWasLeftParked() {
        Engine two = new Engine(EngineOptions.of(2), new Trace(Clock.system(), 0));
        two.start();
        Worker worker = two.pool().crew.all()[1];
        Thread thread = Objects.requireNonNull(worker.thread());
        Watchdog.until(() -> worker.isSleeping() && thread.getState() == Thread.State.WAITING, "the worker sleeps");
        worker.sleeping = false;
        two.close();
        assertFalse(thread.isAlive());
    }
}
