package dev.jacquard.flow;

import dev.jacquard.flow.Flattening.Item;
import dev.jacquard.flow.runtime.RunPlan;
import dev.jacquard.flow.runtime.StagePlan;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns a checked graph into the plan that the runtime runs. Types are erased here, and only here. */
final class Planning {
    private final Flattening unfolding;
    private final Bodies bodies;
    private final FlowOptions options;

    Planning(Flattening unfolding, Bodies bodies, FlowOptions options) {
        this.unfolding = unfolding;
        this.bodies = bodies;
        this.options = options;
    }

    RunPlan plan() {
        List<StagePlan> stages = new ArrayList<>();
        for (Item item : unfolding.items()) {
            stages.add(stage(item));
        }
        return new RunPlan(
                unfolding.graph().name(),
                stages,
                unfolding.inputs(),
                unfolding.pools(),
                unfolding.edges(),
                new Cycles(unfolding.items(), item -> true).all(),
                options.inputBound());
    }

    @SuppressWarnings("unchecked") // edges join equal types, as the compiler and, where possible, the check made sure
    private StagePlan stage(Item item) {
        return new StagePlan(
                item.name,
                (List<Body<Object, Object>>) (List<?>) bodies.bodiesOf(item),
                (List<Rule<Object, Object>>) (List<?>) bodies.rulesOf(item),
                item.outlets,
                item.takes(),
                item.use.edges,
                options(item, item.task));
    }

    @SuppressWarnings("unchecked") // as in stage()
    private StagePlan.Options options(Item item, @Nullable FlowTask<?, ?> task) {
        if (task == null) {
            return new StagePlan.Options(
                    false,
                    options.dedicated(),
                    false,
                    0,
                    null,
                    null,
                    false,
                    item.releases(),
                    StagePlan.Submitting.NONE);
        }
        return new StagePlan.Options(
                task.isStart(),
                task.isDedicated() || options.dedicated(),
                task.isOneByOne(),
                task.pollNanos(),
                (Comparator<Object>) task.order(),
                task.termination(),
                task.isEndingCycle(),
                item.releases(),
                new StagePlan.Submitting(List.copyOf(task.devices()), Math.max(item.only, 0), task.inFlight()));
    }
}
