package dev.jacquard.core.testing.random;

import dev.jacquard.core.examples.Lifo;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.ReadyOrder;
import dev.jacquard.engine.work.ReadyTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A policy whose order fails at one of its calls, which ends the run in the midst of it. What is left then is that all
 * waits end, that conflicting bodies do not meet, and that nothing runs behind the close. Threads: any; one session at
 * a time.
 */
final class Breaking {
    private final Policy base;
    /** The call that fails, from 1. */
    private final int call;

    private volatile boolean hasFailed;

    /** Makes {@code base} fail at {@code call}. */
    Breaking(Policy base, int call) {
        this.base = base;
        this.call = call;
    }

    /** True if the order of the last session has failed. */
    boolean hasFailed() {
        return hasFailed;
    }

    Policy policy() {
        return Policies.with(base, this::order, null);
    }

    private ReadyOrder order() {
        hasFailed = false;
        ReadyOrder own = base.order();
        ReadyOrder order = own == null ? new Lifo() : own;
        AtomicInteger left = new AtomicInteger(call);
        return new ReadyOrder() {
            @Override
            public void push(ReadyTask task) {
                count(left);
                order.push(task);
            }

            @Override
            public @Nullable ReadyTask pop(int worker) {
                ReadyTask task = order.pop(worker);
                if (task != null) {
                    count(left);
                }
                return task;
            }
        };
    }

    private void count(AtomicInteger left) {
        if (left.decrementAndGet() == 0) {
            hasFailed = true;
            throw new IllegalStateException("the order fails as the program says");
        }
    }

    @Override
    public String toString() {
        return base.name() + " whose order fails at call " + call;
    }
}
