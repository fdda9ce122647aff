package dev.jacquard.engine.schedule;

import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.engine.work.ReadyTask.Edges;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A policy of which the order, the placement or both were exchanged. */
final class Combination implements Policy {
    private final Policy base;
    private final @Nullable Supplier<? extends ReadyOrder> order;
    private final @Nullable Placement placement;

    Combination(Policy base, @Nullable Supplier<? extends ReadyOrder> order, @Nullable Placement placement) {
        this.base = base;
        this.order = order;
        this.placement = placement;
    }

    @Override
    public String name() {
        String text = base.name();
        text += order == null ? "" : " with another order";
        return text + (placement == null ? "" : (order == null ? " with" : " and") + " another placement");
    }

    /** The engine's own order wants exclusive calls; so may the base's part that stays. */
    @Override
    public Set<Need> needs() {
        Set<Need> needs = EnumSet.of(Need.NO_INLINE_SUCCESSORS);
        needs.addAll(base.needs());
        if (placement instanceof Policy other) {
            needs.addAll(other.needs());
        }
        if (order == null) {
            needs.add(Need.EXCLUSIVE_CALLS);
        }
        return needs;
    }

    @Override
    public ReadyOrder order() {
        if (order != null) {
            ReadyOrder given = order.get();
            // The built-in ones want one call at a time: the base may not ask the engine for that, nor can an order.
            return given instanceof TaskHeap || given instanceof TaskRing ? OneByOne.of(given) : given;
        }
        ReadyOrder own = base.order();
        return own == null ? new TaskRing() : own;
    }

    @Override
    public @Nullable Placement placement() {
        return placement == null ? base.placement() : placement;
    }

    @Override
    public long rank(ReadyTask task) {
        return base.rank(task);
    }

    @Override
    public void submitted(ReadyTask task, Edges edges) {
        base.submitted(task, edges);
    }
}
