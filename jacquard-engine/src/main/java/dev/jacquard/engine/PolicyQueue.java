package dev.jacquard.engine;

import dev.jacquard.engine.schedule.PolicyGuard;
import dev.jacquard.engine.work.Node;
import java.util.concurrent.atomic.AtomicLong;

/** A policy's order with the load of the worker that it is for. */
final class PolicyQueue {
    final PolicyGuard<Node>.Order order;

    private final AtomicLong over = new AtomicLong();
    private final AtomicLong expectedNanos = new AtomicLong();

    PolicyQueue(PolicyGuard<Node>.Order order) {
        this.order = order;
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

    int tasks() {
        long done = over.get();
        return (int) Math.max(0, order.pushed() - done);
    }

    long expectedNanos() {
        return expectedNanos.get();
    }
}
