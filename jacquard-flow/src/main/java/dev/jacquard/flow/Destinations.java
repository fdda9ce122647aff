package dev.jacquard.flow;

import dev.jacquard.flow.FlowSource.Edge;
import dev.jacquard.flow.runtime.RunPlan;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The numbers of the parts, in the unfolded graph, that get the items of a source, and the ways of the items to them.
 * Nested graphs are passed through.
 *
 * <p>Threads: confined to the thread that unfolds the graph.
 */
final class Destinations {
    private final List<End> ofAll = new ArrayList<>();
    private final Map<End, List<Passage>> ofSome = new LinkedHashMap<>();
    /** The graphs and outputs on the way: ends the search where graphs that pass their input on form a circle. */
    private final Set<List<Object>> passed = new HashSet<>();

    /**
     * A part that gets items.
     *
     * @param number the number of the part
     * @param bounds the bounded edges on the way to it
     */
    record End(int number, List<EdgeBound> bounds) {}

    /**
     * An outlet that gets some of the items of another outlet, or items that are made of these.
     *
     * @param of the number of the other outlet
     * @param to the number of the outlet, which has one consumer
     * @param passages the ways of the items; an item takes each that passes it on
     */
    record Branch(int of, int to, List<Passage> passages) {
        RunPlan.Fork plan() {
            return new RunPlan.Fork(of, to, List.copyOf(passages));
        }
    }

    /**
     * Finds the destinations of the items of a source in {@code use}.
     *
     * @param ends true if items end there that no edge takes
     */
    Destinations(List<Edge> edges, boolean ends, Use use) {
        find(edges, ends, new Way(Passage.ALL, List.of()), use);
    }

    boolean isEmpty() {
        return ofAll.isEmpty() && ofSome.isEmpty();
    }

    /** Returns the parts that get the items that go everywhere. */
    List<End> ofAll() {
        return ofAll;
    }

    /** Returns the parts that get some of the items, in the order of the branches. */
    Set<End> ofSome() {
        return ofSome.keySet();
    }

    /** Adds the outlet for the items that go everywhere. */
    void addOutlet(List<int[]> outlets) {
        outlets.add(ofAll.stream().mapToInt(End::number).toArray());
    }

    /** Adds the outlets for the other items, which are branches of the outlet {@code of}. */
    void addBranches(int of, List<int[]> outlets, List<Branch> branches) {
        ofSome.forEach((end, passages) -> {
            branches.add(new Branch(of, outlets.size(), passages));
            outlets.add(new int[] {end.number});
        });
    }

    /** The way of the items from the source, and the bounded edges on it. */
    private record Way(Passage passage, List<EdgeBound> bounds) {
        Way then(Edge edge, Use use) {
            List<EdgeBound> all = bounds;
            if (edge.bound() > 0) {
                all = new ArrayList<>(bounds);
                all.add(new EdgeBound(use, edge));
            }
            return new Way(passage.then(edge.passage()), all);
        }
    }

    private void find(List<Edge> edges, boolean ends, Way before, Use use) {
        if (ends && ofAll.stream().noneMatch(end -> end.number == RunPlan.NOWHERE)) {
            add(RunPlan.NOWHERE, before);
        }
        for (Edge edge : edges) {
            Way its = before.then(edge, use);
            switch (edge.target()) {
                case null -> add(RunPlan.NOWHERE, its);
                case FlowTask<?, ?> task -> use.numbersOf(task).forEach(number -> add(number, its));
                case Bookkeeper<?> keeper -> use.numbersOf(keeper).forEach(number -> add(number, its));
                case FlowPipeline<?, ?> pipeline -> use.numbersOf(pipeline).forEach(number -> add(number, its));
                case FlowGraph.Nested<?, ?> nested -> {
                    Use inner = use.inner.get(nested);
                    if (inner != null && passed.add(List.of(inner, nested))) {
                        find(inner.graph.inputs, inner.graph.inputEnds, its, inner);
                        passed.remove(List.of(inner, nested));
                    }
                }
                case GraphParts.Output<?> output -> {
                    if (use.outer == null || use.part == null) {
                        add(RunPlan.OUTPUT, its);
                    } else if (passed.add(List.of(use, output))) {
                        find(use.part.edges(), use.part.ends(), its, use.outer);
                        passed.remove(List.of(use, output));
                    }
                }
            }
        }
    }

    private void add(int number, Way way) {
        End end = new End(number, number == RunPlan.NOWHERE ? List.of() : way.bounds);
        if (way.passage.isAll()) {
            ofAll.add(end);
        } else {
            ofSome.computeIfAbsent(end, _ -> new ArrayList<>()).add(way.passage);
        }
    }
}
