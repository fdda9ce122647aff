package dev.jacquard.expressions.targets;

import dev.jacquard.base.machine.ExecutionTarget;
import java.util.ArrayList;
import java.util.List;

/**
 * Works take their eligible targets in turn.
 *
 * <p>Source: the expressions thesis, section 3.1.14 (load balancers).
 */
final class RoundRobin implements TargetPolicy {
    @Override
    public Choice choose(Step step) {
        List<ExecutionTarget> targets = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        for (Work work : step.works()) {
            ExecutionTarget next =
                    work.eligible().get(targets.size() % work.eligible().size());
            reasons.add("\"" + work.name() + "\" on " + next + ": its turn among " + work.eligible());
            targets.add(next);
        }
        return new Choice(targets, reasons);
    }

    @Override
    public String toString() {
        return "round robin";
    }
}
