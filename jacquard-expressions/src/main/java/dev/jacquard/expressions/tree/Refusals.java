package dev.jacquard.expressions.tree;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.expressions.tree.BoundStep.Unit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The targets on which expressions were tried and refused. Confined to the thread that runs the steps. */
final class Refusals {
    private final Map<String, Set<ExecutionTarget>> targets = new HashMap<>();

    /** Returns the targets that refused a unit. */
    Set<ExecutionTarget> of(Unit unit) {
        return targets.getOrDefault(unit.name(), Set.of());
    }

    /**
     * Notes that a device refuses an expression, or a field that the expression reads or writes. Returns false if the
     * user wants it there, or no device had it.
     *
     * @param where the targets of the units in the step that failed
     * @param devices the devices in service
     */
    boolean note(
            BoundStep step, List<ExecutionTarget> where, List<ExecutionTarget> devices, TaskFailedException failure) {
        boolean some = false;
        String told = String.valueOf(failure.getMessage()); // names the device
        for (int i = 0; i < step.units().size(); i++) {
            Unit unit = step.units().get(i);
            Unit leader = step.leader(unit);
            ExecutionTarget its = where.get(i);
            if (leader.on() == null
                    && !its.equals(ExecutionTarget.HOST)
                    && (told.contains(its.name()) || devices.size() == 1)
                    && BoundStep.isOf(unit, failure.task())) {
                some |= targets.computeIfAbsent(leader.name(), any -> new HashSet<>())
                        .add(its);
            }
        }
        return some;
    }
}
