package dev.jacquard.flow.runtime;

import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a dedicated copy: how it sleeps, how it is woken, and when it may be interrupted.
 *
 * <p>A run that stops interrupts user code, but neither the runtime nor a shutdown phase, which cleans up. No stop is
 * missed: the thread that stops the run sets the run's flag before it checks whether user code is at work here, and
 * this thread announces user code before it checks the flag; announcement and interrupt are under one lock.
 */
final class DedicatedThread {
    private final BooleanSupplier stopping;
    /**
     * Set by the thread itself, before the copy joins the idle list. A thread that wakes this one has taken the copy
     * off that list.
     */
    private volatile @Nullable Thread thread;
    /**
     * Set by the one thread per sleep that calls wake(); cleared by this thread. Volatile: pairs wake() with sleep(),
     * so that actions before the wake-up are seen after it.
     */
    private volatile boolean woken;
    /** The thread while user code may be interrupted, otherwise null. Guarded by this. */
    private @Nullable Thread atWork;

    DedicatedThread(BooleanSupplier stopping) {
        this.stopping = stopping;
    }

    /** Records the thread. Called once, by the thread itself. */
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

    /** Sleeps until {@link #wake}, or for {@code pollNanos} if that is not 0; returns false if no wake-up came. */
    boolean sleep(long pollNanos) {
        while (!woken) {
            if (pollNanos == 0) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, pollNanos);
            }
            boolean interrupted = Thread.interrupted(); // a copy ends with its run: an interrupt only wakes it
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

    /** Returns true if user code is at work, and not blocked. */
    synchronized boolean isMoving() {
        return atWork != null && atWork.getState() == Thread.State.RUNNABLE;
    }

    /** Returns true if the calling thread is this one. */
    boolean isCurrent() {
        return thread == Thread.currentThread();
    }

    /** Interrupts user code if it is at work. The caller has set the run's flag before. */
    synchronized void interrupt() {
        if (atWork != null) {
            atWork.interrupt();
        }
    }

    /**
     * Runs user code that may be interrupted, and leaves no interrupt behind.
     *
     * @throws CancellationException if the run stops already
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

    /** User code that may be interrupted: see {@link #run}. */
    @FunctionalInterface
    interface Phase {
        void run() throws Exception;
    }
}
