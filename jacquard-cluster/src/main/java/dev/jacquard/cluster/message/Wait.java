package dev.jacquard.cluster.message;

import dev.jacquard.base.concurrent.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A thread that waits until one of some operations has ended.
 *
 * <pre>
 *  open ──block──▶ blocked ──┬─ unblock ──▶ open
 *   └──────────────── end ───┴─ end ──────▶ over
 * </pre>
 *
 * <p>Threads: made, blocked and waited on by one thread; unblocked and ended by any. {@code state} is replaced by
 * compare-and-set, or by an exchange at the end, so that one thread alone takes a wait out of {@code BLOCKED}.
 */
public final class Wait implements Operation.State {
    private static final int MOST_NAMED = 3;

    private static final VarHandle STATE = Fields.handle(MethodHandles.lookup(), "state", int.class);
    private static final int OPEN = 0;
    private static final int BLOCKED = 1;
    private static final int OVER = 2;

    private final Thread thread = Thread.currentThread();
    private final Endpoint endpoint;
    /** Null if there are several. */
    private final @Nullable Operation one;
    /** Empty if there is one. */
    private final List<Operation> several;

    private volatile int state = OPEN;
    /** Written by the waiting thread, before others see this through its endpoint. */
    private long number;

    Wait(Endpoint endpoint, Operation operation) {
        this.endpoint = endpoint;
        this.one = operation;
        this.several = List.of();
    }

    Wait(Endpoint endpoint, List<Operation> operations) {
        this.endpoint = endpoint;
        this.one = null;
        this.several = operations;
    }

    Endpoint endpoint() {
        return endpoint;
    }

    /** Returns the thread that waits. */
    public Thread thread() {
        return thread;
    }

    /** Returns true if one of the operations has ended. */
    public boolean isOver() {
        return state == OVER;
    }

    /** The waiting thread is about to park; returns false if the wait is over. */
    public boolean block() {
        return STATE.compareAndSet(this, OPEN, BLOCKED);
    }

    /** Returns true if the waiting thread is parked, or about to, and nothing has ended its wait. */
    public boolean isBlocked() {
        return state == BLOCKED;
    }

    /** The wait is no longer blocked; returns false if another thread has seen to that, or it was not. */
    public boolean unblock() {
        return isBlocked() && STATE.compareAndSet(this, BLOCKED, OPEN);
    }

    /** Returns the operations. */
    public List<Operation> operations() {
        return one == null ? several : List.of(one);
    }

    /** Returns true if one of the operations has ended, or its content is under way. */
    boolean isServed() {
        return isOver() || operations().stream().anyMatch(Operation::isMoving);
    }

    /** Returns a text that names the operations that it waits for. */
    String text() {
        return operations().stream()
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
        if ((int) STATE.getAndSet(this, OVER) == BLOCKED) {
            endpoint.onEnd(this);
        }
        if (Thread.currentThread() != thread) {
            LockSupport.unpark(thread);
        }
    }
}
