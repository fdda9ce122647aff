package dev.jacquard.flow.runtime;

import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a dedicated copy: how it sleeps, how it is woken, and when it may be interrupted.
 *
 * <p>A run that stops interrupts user code, and nothing else: neither the runtime nor a shutdown, which tidies up. None
 * is missed: whoever stops says so before it looks whether user code is at work here, and user code is announced before
 * the look at whether the run stops; both under one lock.
 */
final class DedicatedThread {
    private final BooleanSupplier stopping;
    /** Set by the thread itself. Who wakes it took the copy off the idle list, which it joined afterwards. */
    private volatile @Nullable Thread thread;
    /**
     * Set by whoever wakes, of whom there is one per sleep; cleared by the thread. Volatile: pairs wake() with sleep(),
     * so that what was done before the wake-up is seen after it.
     */
    private volatile boolean woken;
    /** Guarded by this: the thread, while user code may be interrupted. */
    private @Nullable Thread atWork;

    DedicatedThread(BooleanSupplier stopping) {
        this.stopping = stopping;
    }

    /** Once, by the thread itself. */
    void bind() {
        thread = Thread.currentThread();
    }

    void wake() {
        woken = true;
        LockSupport.unpark(thread);
    }

    boolean isWoken() {
        return woken;
    }

    /** Sleeps until it is woken, or for {@code pollNanos} if that is not 0; false when it was not woken. */
    boolean sleep(long pollNanos) {
        while (!woken) {
            if (pollNanos == 0) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, pollNanos);
            }
            boolean interrupted = Thread.interrupted(); // a copy ends when its run does: an interrupt only wakes it
            if (pollNanos > 0 && !interrupted && !woken) {
                return false;
            }
        }
        woken = false;
        return true;
    }

    synchronized boolean isAtWork() {
        return atWork != null;
    }

    /** True if user code is at work, and not blocked. */
    synchronized boolean isMoving() {
        return atWork != null && atWork.getState() == Thread.State.RUNNABLE;
    }

    /** True if the calling thread is this one. */
    boolean isCurrent() {
        return thread == Thread.currentThread();
    }

    /** Interrupts user code if it is at work. The caller said before that the run stops. */
    synchronized void interrupt() {
        if (atWork != null) {
            atWork.interrupt();
        }
    }

    /**
     * Runs user code that may be interrupted, and leaves no interrupt behind.
     *
     * @throws CancellationException when the run stops already
     */
    void run(Phase phase) throws Exception {
        mayInterrupt(Thread.currentThread());
        try {
            if (stopping.getAsBoolean()) {
                throw new CancellationException("the run stops");
            }
            phase.run();
        } finally {
            mayInterrupt(null);
            Thread.interrupted();
        }
    }

    private synchronized void mayInterrupt(@Nullable Thread who) {
        atWork = who;
    }

    /** See {@link #run}. */
    @FunctionalInterface
    interface Phase {
        void run() throws Exception;
    }
}
