package dev.jacquard.expressions.targets;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.engine.plan.GraphPlacement.Limits;
import dev.jacquard.engine.plan.Plan;
import dev.jacquard.engine.schedule.Explanation;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.PolicyGuard;
import dev.jacquard.engine.work.GuardedTask;
import dev.jacquard.expressions.targets.StepMachine.StepTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A scheduling policy chooses the targets: with a plan of the whole step where it places graphs, else work by work with
 * its placement. Each choice begins with a new placement, so that it depends on the step alone.
 */
final class PolicyTargets implements TargetPolicy {
    private final Policy policy;
    private final boolean usesTimes;

    PolicyTargets(Policy policy) {
        this.policy = policy;
        // Without a placement the rule is the earliest finish, which is one of times.
        this.usesTimes = policy.graphPlacement() != null || policy.placement() == null;
    }

    @Override
    public boolean usesTimes() {
        return usesTimes;
    }

    @Override
    public Choice choose(Step step) {
        PolicyGuard<GuardedTask> guard = new PolicyGuard<>(policy, "the step");
        return guard.placesGraphs() ? planned(guard, step) : oneByOne(guard, step);
    }

    private static Choice planned(PolicyGuard<GuardedTask> guard, Step step) {
        StepGraph its = new StepGraph(step);
        Plan plan = guard.plan(its.graph(), Limits.DEFAULT);
        List<ExecutionTarget> targets = its.targets(plan);
        List<String> reasons = new ArrayList<>();
        for (int work = 0; work < targets.size(); work++) {
            int task = its.task(work);
            reasons.add(String.format(
                    Locale.ROOT,
                    "\"%s\" on %s: from %.1f to %.1f µs in the plan of policy \"%s\"%s",
                    step.works().get(work).name(),
                    targets.get(work),
                    plan.starts()[task] / 1e3,
                    plan.ends()[task] / 1e3,
                    guard.name(),
                    times(step.works().get(work))));
        }
        return new Choice(targets, reasons);
    }

    /** Returns the text of the times that a work takes on its targets; empty where it has one target. */
    private static String times(Work work) {
        return work.eligible().size() < 2
                ? ""
                : work.eligible().stream()
                        .map(target -> String.format(Locale.ROOT, "%.1f µs on %s", work.nanosOn(target) / 1e3, target))
                        .collect(Collectors.joining(", ", "; it takes ", ""));
    }

    private static Choice oneByOne(PolicyGuard<GuardedTask> guard, Step step) {
        StepMachine machine = new StepMachine(step);
        List<ExecutionTarget> targets = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        for (StepTask task : machine.tasks()) {
            machine.offer(task);
            ExecutionTarget target = machine.give(task, guard.place(task, machine));
            targets.add(target);
            reasons.add("\"" + task.name() + "\" on " + target + ": chosen by policy \"" + guard.name() + "\" among "
                    + task.work().eligible() + estimates(guard.explanations()));
        }
        return new Choice(targets, reasons);
    }

    /** Returns the text of the newest explanation; empty where the placement does not explain. */
    private static String estimates(List<Explanation> explanations) {
        StringBuilder text = new StringBuilder();
        if (!explanations.isEmpty()) {
            explanations.getLast().estimates().forEach(one -> text.append("; ").append(one));
        }
        return text.toString();
    }

    @Override
    public String toString() {
        return policy.name();
    }
}
