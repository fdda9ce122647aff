package dev.jacquard.core.testing.random;

import dev.jacquard.base.machine.Place;
import dev.jacquard.core.examples.Lifo;
import dev.jacquard.engine.schedule.Need;
import dev.jacquard.engine.schedule.Placement;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.ReadyOrder;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.ReadyTask;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Policies with the order, or the placement, of another one, or of the user's. */
final class MixedPolicies {
    private MixedPolicies() {}

    /** Returns {@code base} with another order, another placement or both, as far as those that are drawn have one. */
    static Policy draw(Policy base, List<Policy> all, Dice dice) {
        return Policies.with(base, order(all, dice.at(2)), isFixed(base) ? null : placement(all, dice.at(3)));
    }

    private static @Nullable Supplier<? extends ReadyOrder> order(List<Policy> all, Dice dice) {
        if (dice.chance(0.3)) {
            return null;
        }
        if (dice.chance(0.3)) {
            return Lifo::new;
        }
        Policy other = all.get(dice.below(all.size()));
        return other.order() == null
                ? null
                : () -> {
                    ReadyOrder made = other.order();
                    return made == null ? new Lifo() : made;
                };
    }

    private static @Nullable Placement placement(List<Policy> all, Dice dice) {
        if (dice.chance(0.4)) {
            return null;
        }
        if (dice.chance(0.4)) {
            return MixedPolicies::byName;
        }
        Policy other = all.get(dice.below(all.size()));
        return isFixed(other) ? null : other.placement();
    }

    /** Tasks of a worker whose thread is away would wait for it, and that thread for other submitters. */
    private static boolean isFixed(Policy policy) {
        return policy.needs().contains(Need.FIXED_WORKERS);
    }

    private static Place byName(ReadyTask task, MachineState machine) {
        List<Place> places = machine.places();
        return places.get(Math.floorMod(task.name().hashCode(), places.size()));
    }
}
