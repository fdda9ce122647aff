package dev.jacquard.core.graph;

import java.util.concurrent.locks.LockSupport;

/**
 * A thread's wait for one event. The thread that brings the event about ends the wait, and so wakes the waiting thread
 * and no other.
 *
 * <p>Threads: made by the thread that waits; ended by any, as often as they like.
 */
public final class Wait {
    private final Thread thread = Thread.currentThread();
    /** Written by the thread that ends the wait, before it unparks; read by the waiting thread. Never unset. */
    private volatile boolean over;
    /** Confined to the waiting thread. */
    private final Predecessors needed;
    /** Here, since the waiting thread asks it for each node that it runs. */
    private final Domain domain;

    private Wait(Predecessors needed, Domain domain) {
        this.needed = needed;
        this.domain = domain;
    }

    /** The calling thread waits for tasks of {@code graph}. */
    static Wait of(TaskGraph graph) {
        return new Wait(new Predecessors(graph), graph.scope().domain);
    }

    /** The calling thread waits for {@code task}. */
    static Wait of(Task task) {
        return new Wait(new Predecessors(task), task.scope().domain);
    }

    /**
     * Returns true when the waiting thread may run {@code node} meanwhile: what it waits for needs the node, or may. By
     * that thread.
     */
    public boolean needs(Node node) {
        Task task = node instanceof Task its ? its : node instanceof Waking waking ? waking.task() : null;
        return task == null || needed.include(task);
    }

    /** Returns true when the event has happened, or cannot happen any more. */
    public boolean isOver() {
        return over || domain.isBroken();
    }

    /** Ends the wait. */
    void end() {
        over = true;
        if (thread != Thread.currentThread()) {
            LockSupport.unpark(thread);
        }
    }
}
