package dev.jacquard.testkit;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Ends tests that would hang. Nothing here sleeps: the awaited condition is looked at until the limit is over. */
public final class Watchdog {
    /** Far more than anything here takes, also on a loaded machine. */
    public static final Duration LIMIT = Duration.ofSeconds(20);

    private Watchdog() {}

    /**
     * Waits for {@code latch}.
     *
     * @throws AssertionError when it does not open in time
     */
    public static void await(CountDownLatch latch, String what) {
        try {
            if (!latch.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("not within " + LIMIT + ": " + what);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted before: " + what, e);
        }
    }

    /**
     * Spins until {@code condition} holds.
     *
     * @throws AssertionError when it does not in time, or when the thread is interrupted
     */
    @SuppressWarnings("ThreadPriorityCheck") // yields to other threads that need this processor, and relies on nothing
    public static void until(BooleanSupplier condition, String what) {
        long start = System.nanoTime();
        for (int turn = 1; !condition.getAsBoolean(); turn++) {
            if ((turn & 0xFFF) == 0) {
                Thread.yield(); // the thread that brings it about may need this processor
            } else {
                Thread.onSpinWait();
            }
            if ((turn & 0xFFFF) == 0
                    && (System.nanoTime() - start > LIMIT.toNanos()
                            || Thread.currentThread().isInterrupted())
                    && !condition.getAsBoolean()) { // which may be the interrupt, and have come since
                throw new AssertionError("not within " + LIMIT + ": " + what);
            }
        }
    }
}
