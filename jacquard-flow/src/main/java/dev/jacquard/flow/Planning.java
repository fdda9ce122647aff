package dev.jacquard.flow;

import dev.jacquard.flow.Flattening.Item;
import dev.jacquard.flow.runtime.RunPlan;
import dev.jacquard.flow.runtime.StagePlan;
import dev.jacquard.flow.runtime.StagePlan.Options;
import dev.jacquard.flow.runtime.StagePlan.Trait;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Rule;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns a checked graph into the plan that the runtime runs. Types are erased here, and in {@link FlowTask#options}.
 */
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
                unfolding.graph().name,
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
                new StagePlan.MemoryUse(item.takes(), item.releases(), item.use.edges),
                options(item));
    }

    private Options options(Item item) {
        Options its = item.task == null ? Options.DEFAULT : item.task.options(Math.max(item.only, 0));
        return options.dedicated() ? its.with(Trait.DEDICATED) : its;
    }
}
