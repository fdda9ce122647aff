package dev.jacquard.flow.runtime;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The thread of a dedicated copy: how it sleeps, and how it is woken. */
final class DedicatedThread {
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

    /** Returns true if the calling thread is this one. */
    boolean isCurrent() {
        return thread == Thread.currentThread();
    }
}
