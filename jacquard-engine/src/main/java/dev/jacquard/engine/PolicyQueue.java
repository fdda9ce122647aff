package dev.jacquard.engine;

import dev.jacquard.engine.schedule.ReadyOrder;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A policy's order with what the engine counts of it.
 *
 * <p>What goes in is counted after the policy has it, what comes out after the policy gave it away: {@link #queued} is
 * never more than what the order holds.
 */
final class PolicyQueue {
    final int number;
    final ReadyOrder order;
    /** What excludes calls of this order; held when the policy wants that, and then while the policy runs. */
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

    /** A task that will take so long is to be pushed. */
    void expects(long nanos) {
        expectedNanos.getAndAdd(nanos);
    }

    /** A task has run, of which so much was expected. */
    void over(long nanos) {
        over.getAndIncrement();
        expectedNanos.getAndAdd(-nanos);
    }

    /** How many wait; may be too low, or negative, while somebody pushes. */
    long queued() {
        long out = popped.get();
        return pushed.get() - out;
    }

    /** Changes with every push and pop: what was answered at one version need not hold at the next. */
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
