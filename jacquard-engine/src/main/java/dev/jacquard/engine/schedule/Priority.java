package dev.jacquard.engine.schedule;

import dev.jacquard.engine.work.ReadyTask;
import java.util.Set;

/**
 * The user's priority first; of equal ones the task that holds up most: near the start of the graph, with many
 * consumers, and long by the moving average of its name's times, once there is one.
 *
 * <pre>
 *  weight = (1 + consumers) · expectedNanos / (1 + depth)
 * </pre>
 *
 * <p>A task of unknown length counts as long as the average of tasks pushed before, so the weight is one of the graph
 * alone until times are known.
 *
 * <p>Source: the expressions thesis, section 3.1.8: priorities from depth and consumers at first; measured times then
 * raise the priorities of heavier tasks, so that tasks near the roots and tasks that form serialization points come
 * first.
 */
final class Priority implements Policy {
    @Override
    public String name() {
        return "priority";
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.TIMES, Need.EXCLUSIVE_CALLS, Need.NO_INLINE_SUCCESSORS);
    }

    @Override
    public ReadyOrder order() {
        return new Order();
    }

    @Override
    public long rank(ReadyTask task) {
        return -(long) task.priority();
    }

    private static final class Order extends TaskHeap {
        /** The part by which one task more moves the average. */
        private static final double STEP = 1.0 / 16;

        private double typicalNanos;

        @Override
        double weight(ReadyTask task) {
            long nanos = task.expectedNanos();
            if (nanos > 0) {
                typicalNanos = typicalNanos == 0 ? nanos : typicalNanos + STEP * (nanos - typicalNanos);
            }
            double length = nanos > 0 ? nanos : Math.max(1, typicalNanos);
            return (1 + task.consumers()) * length / (1 + task.depth());
        }
    }
}
