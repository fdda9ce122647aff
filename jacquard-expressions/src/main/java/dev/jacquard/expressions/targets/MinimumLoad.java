package dev.jacquard.expressions.targets;

import dev.jacquard.base.machine.ExecutionTarget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A work goes to the target that has the least to do so far, of several the first that it is eligible for.
 *
 * <p>Source: the expressions thesis, section 3.1.14 (load balancers).
 */
final class MinimumLoad implements TargetPolicy {
    @Override
    public Choice choose(Step step) {
        boolean known = step.works().stream().anyMatch(work -> !work.nanos().isEmpty());
        Map<ExecutionTarget, Double> loads = new HashMap<>();
        List<ExecutionTarget> targets = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        for (Work work : step.works()) {
            ExecutionTarget least = work.eligible().getFirst();
            for (ExecutionTarget target : work.eligible()) {
                if (loads.getOrDefault(target, 0.0) < loads.getOrDefault(least, 0.0)) {
                    least = target;
                }
            }
            double before = loads.getOrDefault(least, 0.0);
            loads.put(least, before + (known ? work.nanosOn(least) : 1));
            reasons.add("\"" + work.name() + "\" on " + least + ": it had "
                    + (known
                            ? String.format(Locale.ROOT, "%.1f µs", before / 1e3)
                            : String.format(Locale.ROOT, "%.0f works", before))
                    + " to do, the least of " + work.eligible());
            targets.add(least);
        }
        return new Choice(targets, reasons);
    }

    @Override
    public String toString() {
        return "minimum load";
    }
}
