package dev.jacquard.engine;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.Place;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.work.Node;
import dev.jacquard.testkit.Watchdog;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * While the thread that waits runs nodes itself, a timer looks for stalls, whenever it looks. The timers have no thread
 * here.
 */
@Timeout(180)
class StallTimerTest {
    private static final long LIMIT_NANOS = 1_000;

    private final AtomicLong time = new AtomicLong(1);
    private final CountDownLatch told = new CountDownLatch(1);
    private final Engine engine = new Engine(EngineOptions.of(1), new Trace(time::get, 0));

    /** Lets as much time pass as makes the timer look, twice for each stall. */
    private void look() {
        time.addAndGet(LIMIT_NANOS / 2);
        engine.pool().timers.runDue();
    }

    /** A node that blocks until the watch has told of it, while time passes. */
    private Node blocks() {
        return new Scripted("blocks", Place.HOST, worker -> {
            AtomicBoolean enough = new AtomicBoolean();
            Thread blocked = Thread.currentThread();
            CompletableFuture<Void> passes = CompletableFuture.runAsync(
                    () -> {
                        Watchdog.until(() -> blocked.getState() == Thread.State.TIMED_WAITING, "the node blocks");
                        while (!enough.get()) {
                            look();
                            Thread.onSpinWait();
                        }
                    },
                    action -> Thread.ofPlatform().daemon().start(action));
            try {
                Watchdog.await(told, "the watch tells of the node that blocks");
            } finally {
                enough.set(true);
                passes.join();
            }
        });
    }

    private void watch() {
        engine.watchStalls(LIMIT_NANOS, () -> 0, () -> {
            told.countDown();
            return true;
        });
    }

    /** Asked between nodes, where the timer looks for a first and a second time. */
    private BooleanSupplier untilTold() {
        AtomicBoolean looked = new AtomicBoolean();
        return () -> {
            if (!looked.getAndSet(true)) {
                look();
                look();
            }
            return told.getCount() == 0;
        };
    }

    @Test
    void theTimerGoesOnWhileAWaitIsBetweenNodes() throws InterruptedException {
        watch();
        engine.ready(blocks());
        engine.awaitUntil(untilTold());
        assertTrue(told.getCount() == 0);
    }

    /** The timer may look where the thread that waits is just about to. */
    @Test
    void whatIsThrownForTheTimerComesOutOfTheWait() {
        IllegalStateException enough = new IllegalStateException("enough");
        engine.watchStalls(LIMIT_NANOS, () -> 0, () -> {
            told.countDown();
            throw enough;
        });
        BooleanSupplier neverOver = () -> {
            look();
            return false;
        };
        assertSame(enough, assertThrows(IllegalStateException.class, () -> engine.awaitUntil(neverOver)));
    }

    @Test
    void andWhileASubmissionIs() {
        watch();
        engine.ready(blocks());
        engine.runReady(untilTold());
        assertTrue(told.getCount() == 0);
    }

    @Test
    void aNodeThatRunsAsItIsSubmittedIsWatchedToo() {
        watch();
        engine.runNow(blocks(), 0);
        assertTrue(told.getCount() == 0);
    }
}
