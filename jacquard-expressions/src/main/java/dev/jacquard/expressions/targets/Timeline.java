package dev.jacquard.expressions.targets;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.expressions.targets.TargetPolicy.Step;
import dev.jacquard.expressions.targets.TargetPolicy.Work;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The times at which works end, if each target computes one work at a time, in the order in which they are given to it,
 * and the output of a work is copied at once to all targets that need it. Confined to one choice.
 */
final class Timeline {
    private final Step step;
    private final Map<ExecutionTarget, Double> free = new HashMap<>();
    /** The times at which each value is on the targets that have it. */
    private final List<Map<ExecutionTarget, Double>> there;

    Timeline(Step step) {
        this.step = step;
        this.there = step.values().stream()
                .<Map<ExecutionTarget, Double>>map(value -> new LinkedHashMap<>(Map.of(ExecutionTarget.HOST, 0.0)))
                .toList();
    }

    /** Returns true if a value is on a target, or is copied there. */
    boolean has(int value, ExecutionTarget target) {
        return there.get(value).containsKey(target);
    }

    /** Returns the time at which a value is on a target, copied from where it is. */
    double arrival(int value, ExecutionTarget target) {
        Double known = there.get(value).get(target);
        if (known != null) {
            return known;
        }
        double best = Double.POSITIVE_INFINITY;
        for (Map.Entry<ExecutionTarget, Double> from : there.get(value).entrySet()) {
            best = Math.min(best, from.getValue() + copy(from.getKey(), target, value));
        }
        return best;
    }

    /** Returns the time of a copy of a value. */
    private double copy(ExecutionTarget from, ExecutionTarget to, int value) {
        return from.equals(to)
                ? 0
                : step.copies().nanos(from, to, step.values().get(value).bytes());
    }

    /** Returns the time at which a work would end on a target. */
    double finish(Work work, ExecutionTarget target) {
        double start = free.getOrDefault(target, 0.0);
        for (int value : work.reads()) {
            start = Math.max(start, arrival(value, target));
        }
        return start + work.nanosOn(target);
    }

    /** Gives a work to a target; returns the time at which it ends there. */
    double give(Work work, ExecutionTarget target) {
        double finish = finish(work, target);
        for (int value : work.reads()) {
            there.get(value).put(target, arrival(value, target));
        }
        for (int value : work.writes()) {
            there.get(value).clear();
            there.get(value).put(target, finish);
        }
        free.put(target, finish);
        return finish;
    }
}
