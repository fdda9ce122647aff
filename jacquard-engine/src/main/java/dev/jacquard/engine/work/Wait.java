package dev.jacquard.engine.work;

import java.util.concurrent.locks.LockSupport;

/**
 * A thread's wait for one event. The thread that brings the event about ends the wait, and so wakes the waiting thread
 * and no other.
 *
 * <p>Threads: made by the thread that waits; ended by any, as often as they like.
 */
public abstract class Wait {
    private final Thread thread = Thread.currentThread();
    /** Written by the thread that ends the wait, before it unparks; read by the waiting thread. Never unset. */
    private volatile boolean over;

    /** By the thread that waits. */
    protected Wait() {}

    /**
     * Returns true when the waiting thread may run {@code node}: the result that it waits for needs the node, or may.
     * By that thread.
     */
    public abstract boolean needs(Node node);

    /** Returns true when the event cannot happen any more. */
    protected abstract boolean isHopeless();

    /** Returns true when the event has happened, or cannot happen any more. */
    public final boolean isOver() {
        return over || isHopeless();
    }

    /** Ends the wait. */
    public final void end() {
        over = true;
        if (thread != Thread.currentThread()) {
            LockSupport.unpark(thread);
        }
    }
}
