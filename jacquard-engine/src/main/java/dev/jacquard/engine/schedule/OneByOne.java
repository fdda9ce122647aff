package dev.jacquard.engine.schedule;

import dev.jacquard.engine.work.ReadyTask;
import org.jspecify.annotations.Nullable;

/** An order with calls that exclude each other. Threads: any. */
record OneByOne(ReadyOrder order) implements ReadyOrder {
    /** Returns such an order; the same if it is one already. */
    static ReadyOrder of(ReadyOrder order) {
        return order instanceof OneByOne ? order : new OneByOne(order);
    }

    /** Returns the policy's own order, which tells two orders apart. */
    static ReadyOrder bare(ReadyOrder order) {
        return order instanceof OneByOne exclusive ? exclusive.order : order;
    }

    @Override
    public synchronized void push(ReadyTask task) {
        order.push(task);
    }

    @Override
    public synchronized @Nullable ReadyTask pop(int worker) {
        return order.pop(worker);
    }
}
