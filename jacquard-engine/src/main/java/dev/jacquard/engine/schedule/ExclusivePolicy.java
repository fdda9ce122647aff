package dev.jacquard.engine.schedule;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.plan.GraphPlacement;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.engine.work.ReadyTask.Edges;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A policy that gets one call at a time: the calls of each order exclude each other, and so do calls of its placement,
 * and of {@link #submitted}. Threads: any call the orders and the placement; one opens the session.
 */
final class ExclusivePolicy implements Policy {
    private final Policy base;
    /** Held while the policy is notified of a submission. */
    private final Object submission = new Object();

    ExclusivePolicy(Policy base) {
        this.base = base;
    }

    @Override
    public String name() {
        return base.name();
    }

    @Override
    public Set<Need> needs() {
        return base.needs();
    }

    @Override
    public @Nullable ReadyOrder order() {
        ReadyOrder order = base.order();
        return order == null ? null : OneByOne.of(order);
    }

    @Override
    public @Nullable Placement placement() {
        Placement placement = base.placement();
        return placement == null ? null : new OnePlacement(placement);
    }

    @Override
    public @Nullable GraphPlacement graphPlacement() {
        return base.graphPlacement();
    }

    @Override
    public void submitted(ReadyTask task, Edges edges) {
        synchronized (submission) {
            base.submitted(task, edges);
        }
    }

    @Override
    public long rank(ReadyTask task) {
        return base.rank(task);
    }

    /** A placement that is asked by one thread at a time. */
    private record OnePlacement(Placement placement) implements Placement {
        @Override
        public synchronized Place place(ReadyTask task, MachineState machine) {
            return placement.place(task, machine);
        }

        @Override
        public List<Explanation> explanations() {
            return placement.explanations();
        }
    }
}
