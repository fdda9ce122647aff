package dev.jacquard.cluster.message;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * A thread that waits until one of some operations has ended.
 *
 * <p>Threads: made and waited on by one thread; ended by any.
 */
public final class Wait {
    private static final int MOST_NAMED = 3;

    private final Thread thread = Thread.currentThread();
    private final Endpoint endpoint;
    private final List<Operation> operations;
    /** Set once, by the thread that ends the first operation. */
    private volatile boolean over;
    /** Written by the waiting thread, before others see this through its endpoint. */
    private long number;

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

    /** Returns true if one of the operations has ended, or its content is under way. */
    boolean isServed() {
        return over || operations.stream().anyMatch(Operation::isMoving);
    }

    /** Returns what it waits for. */
    String text() {
        return operations.stream()
                .map(operation -> operation.subject().text())
                .distinct()
                .limit(MOST_NAMED)
                .collect(Collectors.joining(", or for "));
    }

    void setNumber(long its) {
        number = its;
    }

    long number() {
        return number;
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
