package dev.jacquard.engine;

import dev.jacquard.engine.schedule.ReadyOrder;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A policy's order with the engine's counts of it.
 *
 * <p>A task that goes in is counted after the policy has it, a task that comes out after the policy gave it away:
 * {@link #queued} is never more than the number of tasks in the order.
 */
final class PolicyQueue {
    /** The number of orders made in this JVM, of all engines. */
    private static final AtomicInteger MADE = new AtomicInteger();

    final int number;
    /**
     * The mark of the nodes in the order. Another one for each of the last 32,768 orders of the JVM, since a user may
     * give one order to two engines by mistake: then neither runs the other's nodes.
     */
    final int mark = MADE.getAndIncrement() & Short.MAX_VALUE;

    final ReadyOrder order;
    /** The monitor of calls of this order, for policies that want such calls to exclude each other. */
    final Object lock = new Object();

    /**
     * Read-modify-writes, which are full fences: each stands between the policy's own writes and the look at who
     * sleeps.
     */
    private final AtomicLong pushed = new AtomicLong();

    private final AtomicLong popped = new AtomicLong();
    private final AtomicLong over = new AtomicLong();
    private final AtomicLong expectedNanos = new AtomicLong();

    PolicyQueue(int number, ReadyOrder order) {
        this.number = number;
        this.order = order;
    }

    void pushed() {
        pushed.getAndIncrement();
    }

    void popped() {
        popped.getAndIncrement();
    }

    /** A task with that expected time is to be pushed. */
    void expects(long nanos) {
        expectedNanos.getAndAdd(nanos);
    }

    /** A task with that expected time has run. */
    void over(long nanos) {
        over.getAndIncrement();
        expectedNanos.getAndAdd(-nanos);
    }

    /** Returns the number of tasks that wait; may be too low, or negative, during a push. */
    long queued() {
        long out = popped.get();
        return pushed.get() - out;
    }

    /** Changes with every push and pop: an answer at one version need not hold at the next. */
    long version() {
        return pushed.get() + popped.get();
    }

    int tasks() {
        long done = over.get();
        return (int) Math.max(0, pushed.get() - done);
    }

    long expectedNanos() {
        return expectedNanos.get();
    }
}
