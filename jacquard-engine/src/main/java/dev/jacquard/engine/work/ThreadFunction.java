package dev.jacquard.engine.work;

import org.jspecify.annotations.Nullable;

/**
 * Code of the user's that a thread runs and that others may interrupt: the body of a task with a time limit, the
 * function of a task on a thread of the user's, the component of a program. Where the code submits or waits, an engine
 * may run nodes on its thread. It {@linkplain #pauseInnermost pauses} the code meanwhile: an interrupt that is meant
 * for the code waits until it goes on, since one that reached a node would be forgotten with it.
 *
 * <p>Functions nest: who pauses one pauses those around it too.
 *
 * <p>Threads: begun, paused and ended by the thread that runs it, interrupted by any; guarded by its own monitor.
 */
public abstract class ThreadFunction {
    private static final ThreadLocal<@Nullable ThreadFunction> INNERMOST = new ThreadLocal<>();
    /**
     * True from when any thread began to run a function. A thread that runs one has set this itself before, so plain
     * reads are enough; where there are none, which is so in most programs, nothing is looked up.
     */
    private static boolean any;

    /** The function that the thread runs around this one; null for none. Confined to the thread. */
    private @Nullable ThreadFunction around;
    /** True if the function around this one was paused with it. Confined to the thread. */
    private boolean pausedAround;

    /** The thread that runs the function; null before and after. */
    private @Nullable Thread thread;
    /** True while nodes run on the thread, inside of the function. */
    private boolean paused;
    /** True once it was interrupted, or is to be. */
    private boolean interrupted;
    /** True while its thread runs another function inside of it. */
    private boolean covered;
    /** True if it was interrupted meanwhile. */
    private boolean unheard;
    /**
     * True if an interrupt is to be delivered when the function goes on. Written under the monitor; volatile, since its
     * thread reads it without between nodes.
     */
    private volatile boolean due;

    /** For subclasses. */
    protected ThreadFunction() {}

    /** Returns the innermost function that the calling thread runs; null when it runs none. */
    public static @Nullable ThreadFunction innermost() {
        return any ? INNERMOST.get() : null;
    }

    /**
     * Pauses the functions that the calling thread runs, from the innermost on, up to one that is paused already. The
     * thread runs nodes inside of them from here on, until {@link #goOn}.
     *
     * @return the innermost; null when there is none to pause
     */
    public static @Nullable ThreadFunction pauseInnermost() {
        ThreadFunction its = innermost();
        return its != null && its.pause() ? its : null;
    }

    /** Returns the function that the thread runs around this one; null for none. */
    public final @Nullable ThreadFunction around() {
        return around;
    }

    /** The calling thread runs the function from now on, inside of the innermost. */
    public final void begin() {
        any = true;
        around = INNERMOST.get();
        INNERMOST.set(this);
        if (around != null) {
            around.cover();
        }
        synchronized (this) {
            thread = Thread.currentThread();
        }
    }

    /**
     * The function is over. Its thread is not interrupted by it any more, nor left so. A function around it that was
     * interrupted meanwhile is so again, since this one may have taken that for its own.
     */
    public final void end() {
        ThreadFunction outer = around;
        around = null;
        if (outer == null) {
            INNERMOST.remove();
        } else {
            INNERMOST.set(outer);
        }
        synchronized (this) {
            thread = null;
            if (interrupted) {
                Thread.interrupted(); // meant for the function, and not for what the thread runs next
            }
        }
        if (outer != null) {
            outer.uncover();
        }
    }

    private synchronized void cover() {
        covered = true;
    }

    /** Interrupts the function again if it was while another one ran inside of it. */
    private synchronized void uncover() {
        covered = false;
        if (unheard) {
            unheard = false;
            boolean _ = interrupt();
        }
    }

    /**
     * Interrupts the function if it runs; if nodes run inside of it, as soon as these are over.
     *
     * @return false if it does not run
     */
    public final synchronized boolean interrupt() {
        if (thread == null) {
            return false;
        }
        interrupted = true;
        unheard |= covered;
        if (paused) {
            due = true;
        } else {
            thread.interrupt();
        }
        return true;
    }

    /** Returns true if {@link #interrupt} was called while the function ran. */
    public final synchronized boolean isInterrupted() {
        return interrupted;
    }

    /**
     * Returns true if an interrupt of the function, or of one around it, waits until it goes on. By the thread that
     * runs it.
     */
    public final boolean isDue() {
        ThreadFunction its = this;
        while (its != null && !its.due) {
            its = its.around;
        }
        return its != null;
    }

    /** Returns the thread that runs the function; null before and after. */
    public final synchronized @Nullable Thread thread() {
        return thread;
    }

    /** Returns true while nodes run inside of the function. Any thread. */
    public final synchronized boolean isPaused() {
        return paused;
    }

    /** Nodes run inside of the function, until {@link #goOn}. Returns false if that was so before. */
    private boolean pause() {
        synchronized (this) {
            if (paused) {
                return false;
            }
            paused = true;
        }
        pausedAround = around != null && around.pause();
        return true;
    }

    /** Nothing else runs inside of the function any more. */
    public final void goOn() {
        if (around != null && pausedAround) {
            pausedAround = false;
            around.goOn();
        }
        synchronized (this) {
            paused = false;
            if (due && thread != null) {
                due = false;
                thread.interrupt();
            }
        }
    }
}
