package dev.jacquard.flow;

import dev.jacquard.base.text.UserText;
import dev.jacquard.flow.FlowGraph.Sink;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.runtime.RunPlan;
import dev.jacquard.flow.runtime.RunPlan.StagePlan;
import dev.jacquard.flow.runtime.RunPlan.StagePlan.Trait;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A graph with its nested graphs unfolded: tasks have numbers, edges join numbers, names are paths.
 *
 * <pre>
 *  outer:  a --> [inner] --> b          unfolded:  a --> inner/x --> inner/y --> b
 *  inner:  input --> x --> y --> output
 * </pre>
 */
final class Flattening {
    final GraphParts graph;
    final List<Item> items = new ArrayList<>();
    final List<RunPlan.PoolPlan> pools = new ArrayList<>();
    /** The outermost graph, and each use of a graph inside of another. */
    final List<Use> uses = new ArrayList<>();

    final int[] inputs;
    /** The number of the pool of each memory edge of the outermost graph. */
    final Map<MemoryEdge<?>, Integer> edges;
    /** The sets of items that send to each other in a circle. */
    final List<List<Integer>> circles;

    Flattening(GraphParts graph) {
        this.graph = graph;
        Use root = new Use(graph, "", null, null);
        this.edges = root.edges;
        declare(root);
        for (Item item : items) {
            for (FlowSource<?> source : item.sources()) {
                item.outlets.add(resolve(source.targets(), source.ends(), item.use));
            }
            item.consumers = StagePlan.consumers(item.outlets);
        }
        inputs = resolve(graph.inputs, graph.inputEnds, root);
        circles = new Cycles(items, item -> true).all();
    }

    /** Creates one body per copy, for a run; returns the problems that arose. */
    List<String> makeBodies() {
        List<String> problems = new ArrayList<>();
        items.forEach(item -> item.make(item.copies(), problems));
        return problems;
    }

    /** Creates one body per task, for a check that inspects its class; returns the problems that arose. */
    List<String> makeProbes() {
        List<String> problems = new ArrayList<>();
        items.forEach(item -> item.make(1, problems));
        return problems;
    }

    /** Returns the plan that the runtime runs. Types are erased here, and in {@link FlowTask#options}. */
    RunPlan plan(FlowRun.Options options) {
        return new RunPlan(
                graph.name,
                items.stream().map(item -> item.plan(options.dedicated())).toList(),
                inputs,
                pools,
                edges,
                circles,
                options.inputBound(),
                options.resultBound());
    }

    private void declare(Use use) {
        uses.add(use);
        for (MemoryEdge<?> edge : use.graph.memories) {
            use.edges.put(edge, pools.size());
            pools.add(new RunPlan.PoolPlan(use.prefix + edge.name(), edge));
        }
        for (Sink<?> part : use.graph.parts) {
            switch (part) {
                case FlowTask<?, ?> task -> declareTask(task, use);
                case Bookkeeper<?> keeper -> {
                    use.numbers.put(keeper, new int[] {items.size()});
                    items.add(new Item(use, use.prefix + keeper.name(), null, keeper, -1));
                }
                case FlowGraph.Nested<?, ?> nested -> {
                    Use inner = new Use(nested.inner, use.prefix + nested.name() + "/", use, nested);
                    use.inner.put(nested, inner);
                    declare(inner);
                }
                case GraphParts.Output<?> output -> throw new AssertionError(output);
            }
        }
    }

    /** Adds the items of a task: one item, or one per copy of a start task, since each copy gets its own signal. */
    private void declareTask(FlowTask<?, ?> task, Use use) {
        int count = task.is(Trait.START) && task.copies > 1 ? task.copies : 1;
        int[] numbers = new int[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = items.size();
            String name = use.prefix + task.name() + (count > 1 ? "#" + i : "");
            items.add(new Item(use, name, task, null, count > 1 ? i : -1));
        }
        use.numbers.put(task, numbers);
    }

    /**
     * Returns the numbers of the items that get the items sent to {@code targets}, parts of {@code use}.
     *
     * @param ends true if it is to end there
     */
    int[] resolve(List<Sink<?>> targets, boolean ends, Use use) {
        List<Integer> found = new ArrayList<>();
        resolve(targets, ends, use, found, new LinkedHashSet<>());
        return found.stream().mapToInt(Integer::intValue).toArray();
    }

    /**
     * Adds the numbers of the items that {@code targets} stand for to {@code found}. The set {@code passed} ends the
     * search where graphs that pass their input through are joined in a circle.
     */
    private void resolve(List<Sink<?>> targets, boolean ends, Use use, List<Integer> found, Set<List<Object>> passed) {
        if (ends && !found.contains(RunPlan.NOWHERE)) {
            found.add(RunPlan.NOWHERE);
        }
        for (Sink<?> target : targets) {
            switch (target) {
                case FlowTask<?, ?> task -> use.numbersOf(task).forEach(found::add);
                case Bookkeeper<?> keeper -> use.numbersOf(keeper).forEach(found::add);
                case FlowGraph.Nested<?, ?> nested -> {
                    Use inner = use.inner.get(nested);
                    if (inner != null && passed.add(List.of(inner, nested))) {
                        resolve(inner.graph.inputs, inner.graph.inputEnds, inner, found, passed);
                    }
                }
                case GraphParts.Output<?> output -> {
                    if (use.outer == null || use.nested == null) {
                        found.add(RunPlan.OUTPUT);
                    } else if (passed.add(List.of(use, output))) {
                        resolve(use.nested.targets(), use.nested.ends(), use.outer, found, passed);
                    }
                }
            }
        }
    }

    /** One use of a graph: the outermost graph, or a graph nested in another. */
    static final class Use {
        final GraphParts graph;
        final String prefix;
        final @Nullable Use outer;
        final FlowGraph.@Nullable Nested<?, ?> nested;
        final Map<Sink<?>, int[]> numbers = new HashMap<>();
        final Map<FlowGraph.Nested<?, ?>, Use> inner = new LinkedHashMap<>();
        final Map<MemoryEdge<?>, Integer> edges = new HashMap<>();

        Use(GraphParts graph, String prefix, @Nullable Use outer, FlowGraph.@Nullable Nested<?, ?> nested) {
            this.graph = graph;
            this.prefix = prefix;
            this.outer = outer;
            this.nested = nested;
        }

        /** Returns the parts of the graph that an edge leads to. */
        Set<Sink<?>> joined() {
            Set<Sink<?>> joined = new HashSet<>(graph.inputs);
            for (Sink<?> part : graph.parts) {
                switch (part) {
                    case FlowSource<?> source -> joined.addAll(source.targets());
                    case Bookkeeper<?> keeper ->
                        keeper.rules.forEach(rule -> joined.addAll(rule.output().targets()));
                    default -> throw new AssertionError(part);
                }
            }
            return joined;
        }

        IntStream numbersOf(Sink<?> part) {
            int[] found = numbers.get(part);
            if (found == null) {
                throw new AssertionError("a part of another graph");
            }
            return Arrays.stream(found);
        }
    }

    /** A task or a bookkeeper of the unfolded graph. */
    static final class Item {
        final Use use;
        final String name;
        final @Nullable FlowTask<?, ?> task;
        final @Nullable Bookkeeper<?> keeper;
        /** The number of the copy of a start task that the item stands for; -1 if the item stands for all copies. */
        final int only;
        /** The copies that are the item's. */
        private final StagePlan.Share share;
        /** Per outlet, the numbers of the consumers. */
        final List<int[]> outlets = new ArrayList<>();
        /** The numbers of the consumers of all outlets. */
        int[] consumers = {};
        /** The number of buffers that the item takes, by the number of the pool. */
        final Map<Integer, Integer> takes = new LinkedHashMap<>();
        /** The bytes of these buffers together, by the number of the pool, where the pool counts bytes. */
        final Map<Integer, Long> takenBytes = new LinkedHashMap<>();
        /** The numbers of the pools that the item declares to release into. */
        final List<Integer> releases = new ArrayList<>();
        /** The memory edges that the item declares although another graph made them. */
        final Set<MemoryEdge<?>> foreign = new LinkedHashSet<>();
        /** The bodies and rules that the user's suppliers created. */
        final List<Body<?, ?>> bodies = new ArrayList<>();

        final List<Rule<?, ?>> rules = new ArrayList<>();

        Item(Use use, String name, @Nullable FlowTask<?, ?> task, @Nullable Bookkeeper<?> keeper, int only) {
            this.use = use;
            this.name = name;
            this.task = task;
            this.keeper = keeper;
            this.only = only;
            this.share = task == null || only < 0
                    ? new StagePlan.Share(name, 0, copies())
                    : new StagePlan.Share(use.prefix + task.name(), only, task.copies);
            for (MemoryEdge<?> edge : released()) {
                Integer pool = use.edges.get(edge);
                if (pool == null) {
                    foreign.add(edge);
                } else {
                    releases.add(pool);
                }
            }
            if (task != null) {
                task.takes.forEach(this::declareTaken);
                task.takenBytes.forEach((edge, bytes) -> {
                    Integer pool = use.edges.get(edge);
                    if (pool != null) {
                        takenBytes.put(pool, bytes);
                    }
                });
            }
        }

        private void declareTaken(MemoryEdge<?> edge, int count) {
            Integer pool = use.edges.get(edge);
            if (pool == null) {
                foreign.add(edge);
            } else {
                takes.put(pool, count);
            }
        }

        private Set<MemoryEdge<?>> released() {
            if (task != null) {
                return task.releases;
            }
            return keeper == null ? Set.of() : keeper.releases;
        }

        int copies() {
            return task == null || only >= 0 ? 1 : task.copies;
        }

        /** Creates {@code count} bodies, or the rules; adds failures to {@code problems}. */
        private void make(int count, List<String> problems) {
            try {
                for (int i = 0; task != null && i < count; i++) {
                    bodies.add(present(task.bodies.get(), "body"));
                }
                for (Bookkeeper.RuleLink link : keeper == null ? List.<Bookkeeper.RuleLink>of() : keeper.rules) {
                    rules.add(present(link.rule().get(), "rule"));
                }
            } catch (RuntimeException e) {
                problems.add("making the " + (keeper == null ? "body" : "rules") + " of \"" + name + "\" failed: "
                        + UserText.of(e));
            }
        }

        @SuppressWarnings("unchecked") // edges join equal types, as the compiler and, where possible, the check ensure
        StagePlan plan(boolean dedicated) {
            StagePlan.Options its = task == null ? StagePlan.Options.DEFAULT : task.options();
            return new StagePlan(
                    name,
                    share,
                    (List<Body<Object, Object>>) (List<?>) bodies,
                    (List<Rule<Object, Object>>) (List<?>) rules,
                    outlets,
                    new StagePlan.MemoryUse(takes, takenBytes, releases, use.edges),
                    dedicated ? its.with(Trait.DEDICATED) : its);
        }

        private <T> T present(@Nullable T made, String what) {
            if (made == null) {
                throw new IllegalStateException("the supplier of \"" + name + "\" made no " + what + " but null");
            }
            return made;
        }

        boolean isStart() {
            return task != null && task.is(Trait.START);
        }

        boolean hasTermination() {
            return task != null && task.hasTermination();
        }

        List<? extends FlowSource<?>> sources() {
            if (task != null) {
                return List.of(task);
            }
            return keeper == null
                    ? List.of()
                    : keeper.rules.stream().map(Bookkeeper.RuleLink::output).toList();
        }
    }
}
