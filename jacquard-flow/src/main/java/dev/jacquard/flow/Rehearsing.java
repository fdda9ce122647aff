package dev.jacquard.flow;

import dev.jacquard.flow.dry.DryRuns;
import dev.jacquard.flow.dry.DryRuns.DryStage;
import dev.jacquard.flow.memory.KeyedEdge;
import dev.jacquard.flow.memory.SizedEdge;
import dev.jacquard.flow.proof.DryRun;
import dev.jacquard.flow.runtime.RunPlan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prepares a graph for a dry run, and reports the findings as problems. */
final class Rehearsing {
    private final GraphParts parts;

    Rehearsing(GraphParts parts) {
        this.parts = parts;
    }

    DryRun run(List<?> items, int workers) {
        if (workers < 1) {
            throw new IllegalArgumentException(
                    "a dry run of flow \"" + parts.name + "\" with " + workers + " workers: at least 1");
        }
        Flattening unfolding = new Flattening(parts, DeviceSet.UNKNOWN);
        List<String> problems = new ArrayList<>(unfolding.makeProbes(0));
        for (RunPlan.PoolPlan pool : unfolding.pools) {
            if (pool.edge() instanceof SizedEdge<?> || pool.edge() instanceof KeyedEdge<?, ?>) {
                problems.add("memory edge \"" + pool.name() + "\" cannot be part of a dry run: it lends by "
                        + (pool.edge() instanceof SizedEdge<?> ? "size" : "key"));
            }
        }
        List<@Nullable DryStage> dry = new ArrayList<>();
        for (PlannedPart item : unfolding.items) {
            DryStage its = item.task == null ? null : item.task.settings.dryStage();
            if (item.task != null && its == null) {
                problems.add("task \"" + item.name + "\" has no dry map: add dry(item -> outputs)");
            }
            if (item.task != null && item.task.settings.queue != null) {
                problems.add("task \"" + item.name + "\" cannot be part of a dry run: it has a queue of its own");
            }
            dry.add(its);
        }
        new Checker(unfolding, problems, false).check().orThrow();
        return new DryRuns(this::plan, dry, items).run(workers);
    }

    private RunPlan plan() {
        Flattening unfolding = new Flattening(parts, DeviceSet.UNKNOWN);
        List<String> problems = unfolding.makeProbes(0);
        new FlowGraph.Check(parts.name, problems).orThrow();
        return unfolding.plan(FlowRun.Options.defaults(), List::of);
    }

    /** Returns the problems that a dry run found. */
    static FlowGraph.Check check(DryRun found) {
        List<String> problems = new ArrayList<>();
        for (DryRun.Memory memory : found.memories()) {
            if (memory.size() < memory.smallest()) {
                problems.add((memory.isBound() ? "edge \"" : "memory edge \"") + memory.name() + "\" has "
                        + memory.size() + (memory.isBound() ? " slots" : " buffers")
                        + ", and items in this order need " + memory.smallest());
            }
        }
        if (problems.isEmpty() && !found.works()) {
            problems.add("a dry run in this order stands still");
        }
        return new FlowGraph.Check(found.graph(), problems);
    }
}
