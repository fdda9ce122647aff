package dev.jacquard.flow.runtime;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.model.TimeModel;
import java.util.List;

/**
 * The routing of a task's items by measured time: the target of each copy, and the times there.
 *
 * <p>Threads: {@link #times} is guarded by the stage.
 *
 * @param targets the target of each copy of the stage
 * @param times the times by the index of the target in {@link #distinct}
 */
record Routing(List<Place> targets, TargetTimes times) {
    /** Returns the routing of a task that is known under {@code name} in {@code model}. */
    static Routing of(List<Place> targets, TimeModel model, String name) {
        return new Routing(targets, new TargetTimes(ItemTimes.of(model, name), distinct(targets)));
    }

    private static List<Place> distinct(List<Place> targets) {
        return targets.stream().distinct().toList();
    }

    /** Returns the index of the target of the stage's copy with that number. */
    int target(int copy) {
        return distinct(targets).indexOf(targets.get(copy));
    }
}
