package dev.jacquard.core.compiled;

import dev.jacquard.engine.schedule.Need;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.PolicyGuard;
import dev.jacquard.engine.schedule.ReadyOrder;
import dev.jacquard.engine.work.GuardedTask;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.insight.analysis.GraphSnapshot;
import org.jspecify.annotations.Nullable;

/** The scheduler of a policy: its plan of the whole graph where it makes plans, else its order. */
record PolicyScheduler(Policy policy) implements Scheduler {
    @Override
    public String name() {
        return policy.name();
    }

    @Override
    public Schedule schedule(GraphSnapshot graph) {
        return schedule(graph, 1);
    }

    @Override
    public Schedule schedule(GraphSnapshot graph, int workers) {
        PolicyGuard<GuardedTask> guard = new PolicyGuard<>(policy, "graph \"" + graph.name() + '"');
        if (guard.placesGraphs()) {
            return new Planned(guard, graph, workers);
        }
        ReadyOrder order = policy.order();
        if (order == null) {
            throw new IllegalArgumentException("policy \"" + guard.name() + "\" cannot schedule compiled graph \""
                    + graph.name() + "\": it has neither an order nor a placement of whole graphs");
        }
        return new Ordered(order, guard.needs(Need.TIMES));
    }

    /** The order of a policy as a schedule. */
    private record Ordered(ReadyOrder order, boolean needsTimes) implements Dynamic {
        @Override
        public void push(ReadyTask task) {
            order.push(task);
        }

        @Override
        public @Nullable ReadyTask pop(int worker) {
            return order.pop(worker);
        }
    }
}
