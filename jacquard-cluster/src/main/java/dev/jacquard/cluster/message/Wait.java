package dev.jacquard.cluster.message;

import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that waits until one of some operations has ended.
 *
 * <p>Threads: made and waited on by one thread; ended by any.
 */
public final class Wait {
    private final Thread thread = Thread.currentThread();
    private final Endpoint endpoint;
    private final List<Operation> operations;
    /** Set once, by the thread that ends the first operation. */
    private volatile boolean over;

    Wait(Endpoint endpoint, List<Operation> operations) {
        this.endpoint = endpoint;
        this.operations = operations;
    }

    /** Returns the thread that waits. */
    public Thread thread() {
        return thread;
    }

    /** Returns true if one of the operations has ended. */
    public boolean isOver() {
        return over;
    }

    /** Returns the operations. */
    public List<Operation> operations() {
        return operations;
    }

    /** An operation has ended, or the transport ends the wait. */
    void end() {
        over = true;
        endpoint.onEnd(this);
        if (Thread.currentThread() != thread) {
            LockSupport.unpark(thread);
        }
    }
}
