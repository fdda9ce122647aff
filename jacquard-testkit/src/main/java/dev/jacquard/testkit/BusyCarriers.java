package dev.jacquard.testkit;

import java.util.concurrent.CountDownLatch;

/**
 * Virtual threads that compute until they are closed, so that no other virtual thread runs: each holds one of the
 * platform threads on which the JVM runs virtual threads.
 */
public final class BusyCarriers implements AutoCloseable {
    private static final int ALL = Integer.getInteger(
            "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());

    private volatile boolean over;

    /** Returns when all of them compute. */
    public BusyCarriers() {
        CountDownLatch begun = new CountDownLatch(ALL);
        for (int i = 0; i < ALL; i++) {
            Thread.startVirtualThread(() -> {
                begun.countDown();
                while (!over) {
                    Thread.onSpinWait();
                }
            });
        }
        Watchdog.await(begun, "virtual threads hold all carriers");
    }

    @Override
    public void close() {
        over = true;
    }
}
