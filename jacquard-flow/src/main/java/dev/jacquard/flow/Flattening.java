package dev.jacquard.flow;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.flow.FlowGraph.Sink;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.runtime.RunPlan;
import dev.jacquard.flow.runtime.RunPlan.PipelinePlan;
import dev.jacquard.flow.runtime.RunPlan.StagePlan;
import dev.jacquard.flow.runtime.RunPlan.StagePlan.Trait;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A graph with its nested graphs and pipelines unfolded: tasks have numbers, edges join numbers, names are paths.
 *
 * <pre>
 *  outer:  a --> [inner] --> b          unfolded:  a --> inner/x --> inner/y --> b
 *  inner:  input --> x --> y --> output
 *
 *  outer:  a --> [inner, 2 copies] --> b    unfolded:  a --> pipe --> pipe#0/x --> pipe#0/y --> b
 *                                                              +----> pipe#1/x --> pipe#1/y --> b
 * </pre>
 */
final class Flattening {
    final GraphParts graph;
    final List<PlannedPart> items = new ArrayList<>();
    final List<RunPlan.PoolPlan> pools = new ArrayList<>();
    /** The outermost graph, and each use of a graph inside of another. */
    final List<Use> uses = new ArrayList<>();

    final List<PipelinePlan> pipelines = new ArrayList<>();
    final DeviceSet devices;
    /** The pipelines that are for devices which do not exist. */
    final List<String> problems = new ArrayList<>();

    /** The consumers of the graph's input: of all items, and of each of the {@link #inputBranches}. */
    final List<int[]> inputs = new ArrayList<>();

    final List<Destinations.Branch> inputBranches = new ArrayList<>();
    /** The number of the pool of each memory edge of the outermost graph. */
    final Map<MemoryEdge<?>, Integer> edges;
    /** The sets of items that send to each other in a circle. */
    final List<List<Integer>> circles;

    Flattening(GraphParts graph, DeviceSet devices) {
        this.graph = graph;
        this.devices = devices;
        Use root = Use.outermost(graph);
        this.edges = root.edges;
        declare(root);
        Slots slots = new Slots(this);
        for (PlannedPart item : items) {
            addOutlets(item, slots);
            item.consumers = StagePlan.consumers(item.outlets);
        }
        Destinations first = new Destinations(graph.inputs, graph.inputEnds, root);
        first.addOutlet(inputs);
        first.addBranches(0, inputs, inputBranches);
        slots.addNeeds();
        circles = new Cycles(items, item -> true).all();
    }

    /** Creates one body per copy, for a run; returns the problems that arose. */
    List<String> makeBodies() {
        List<String> problems = new ArrayList<>();
        items.forEach(item -> item.make(item.copies(), problems));
        return problems;
    }

    /** Creates the rules, and that many bodies per task, for a check or a dry run; returns the problems that arose. */
    List<String> makeProbes(int bodies) {
        List<String> problems = new ArrayList<>();
        items.forEach(item -> item.make(bodies, problems));
        return problems;
    }

    /** Returns the plan that the runtime runs. Types are erased here, and in {@link FlowTask#options}. */
    RunPlan plan(FlowRun.Options options, Supplier<List<String>> proof) {
        return new RunPlan(
                graph.name,
                items.stream().map(item -> item.plan(options.dedicated())).toList(),
                inputs,
                inputBranches.stream().map(Destinations.Branch::plan).toList(),
                pools,
                edges,
                circles,
                pipelines,
                options.inputBound(),
                options.resultBound(),
                proof);
    }

    private void declare(Use use) {
        uses.add(use);
        for (MemoryEdge<?> edge : use.graph.memories) {
            use.edges.put(edge, pools.size());
            pools.add(new RunPlan.PoolPlan(use.prefix + edge.name(), edge, use.device));
        }
        for (Sink<?> part : use.graph.parts) {
            switch (part) {
                case FlowTask<?, ?> task -> declareTask(task, use);
                case Bookkeeper<?> keeper -> {
                    use.numbers.put(keeper, new int[] {items.size()});
                    items.add(new PlannedPart(use, use.prefix + keeper.name(), keeper, -1));
                }
                case FlowGraph.Nested<?, ?> nested -> declare(use.nested(nested));
                case FlowPipeline<?, ?> pipeline -> declarePipeline(pipeline, use);
                case GraphParts.Output<?> output -> throw new AssertionError(output);
            }
        }
    }

    /** Adds the items of a task: one item, or one per copy of a start task, since each copy gets its own signal. */
    private void declareTask(FlowTask<?, ?> task, Use use) {
        int count = task.settings.is(Trait.START) && task.copies > 1 ? task.copies : 1;
        int[] numbers = new int[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = items.size();
            String name = use.prefix + task.name() + (count > 1 ? "#" + i : "");
            items.add(new PlannedPart(use, name, task, count > 1 ? i : -1));
        }
        use.numbers.put(task, numbers);
    }

    /** Adds the item that distributes the items of a pipeline, unless its graph takes none, and the copies. */
    private void declarePipeline(FlowPipeline<?, ?> pipeline, Use use) {
        String name = use.prefix + pipeline.name();
        int distributor = pipeline.inner.inputs.isEmpty() && !pipeline.inner.inputEnds ? -1 : items.size();
        use.numbers.put(pipeline, distributor < 0 ? new int[0] : new int[] {distributor});
        if (distributor >= 0) {
            items.add(new PlannedPart(use, name, pipeline, -1));
        }
        List<PipelinePlan.Copy> copies = new ArrayList<>();
        pipelines.add(new PipelinePlan(name, distributor, copies)); // before the pipelines inside
        List<Use> uses = new ArrayList<>();
        use.pipelines.put(pipeline, uses);
        for (ExecutionTarget device : devicesOf(pipeline, name)) {
            Use copy = use.copy(pipeline, uses.size(), device);
            uses.add(copy);
            int item = items.size();
            int pool = pools.size();
            declare(copy);
            copies.add(new PipelinePlan.Copy(
                    copy.device,
                    new PipelinePlan.Range(item, items.size()),
                    new PipelinePlan.Range(pool, pools.size())));
        }
    }

    /** Returns the device of each copy of a pipeline; null for a copy that is bound to none. */
    private List<@Nullable ExecutionTarget> devicesOf(FlowPipeline<?, ?> pipeline, String name) {
        if (pipeline.devices.isEmpty()) {
            return Collections.nCopies(pipeline.copies, null);
        }
        List<@Nullable ExecutionTarget> found = new ArrayList<>();
        for (ExecutionTarget wanted : pipeline.devices) {
            List<ExecutionTarget> fitting = devices.of(wanted);
            if (fitting.isEmpty()) {
                problems.add(devices.refusal("pipeline \"" + name + '"', wanted));
            }
            found.addAll(fitting);
        }
        return found.isEmpty() ? Collections.nCopies(1, null) : found;
    }

    private void addOutlets(PlannedPart item, Slots slots) {
        List<Destinations> all = new ArrayList<>();
        for (FlowSource<?> source : item.sources()) {
            all.add(new Destinations(source.edges(), source.ends(), item.use));
        }
        for (SiblingEdge<?> edge : item.sends()) {
            item.siblings.put(edge, all.size());
            for (int copy = 0; copy < item.use.siblings(); copy++) {
                all.add(new Destinations(edge.edges(), edge.ends(), item.use.sibling(copy)));
            }
        }
        if (item.part instanceof FlowPipeline<?, ?> pipeline) {
            for (Use copy : item.use.pipelines.getOrDefault(pipeline, List.of())) {
                all.add(new Destinations(copy.graph.inputs, copy.graph.inputEnds, copy));
            }
        }
        all.forEach(one -> one.addOutlet(item.outlets));
        for (int i = 0; i < all.size(); i++) {
            all.get(i).addBranches(i, item.outlets, item.branches);
        }
        slots.add(item, all);
    }
}
