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
    private final List<Integer> ofAll = new ArrayList<>();
    private final Map<Integer, List<Passage>> ofSome = new LinkedHashMap<>();
    /** The graphs and outputs on the way: ends the search where graphs that pass their input on form a circle. */
    private final Set<List<Object>> passed = new HashSet<>();

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
        find(edges, ends, Passage.ALL, use);
    }

    boolean isEmpty() {
        return ofAll.isEmpty() && ofSome.isEmpty();
    }

    /** Adds the outlet for the items that go everywhere. */
    void addOutlet(List<int[]> outlets) {
        outlets.add(ofAll.stream().mapToInt(Integer::intValue).toArray());
    }

    /** Adds the outlets for the other items, which are branches of the outlet {@code of}. */
    void addBranches(int of, List<int[]> outlets, List<Branch> branches) {
        ofSome.forEach((consumer, passages) -> {
            branches.add(new Branch(of, outlets.size(), passages));
            outlets.add(new int[] {consumer});
        });
    }

    private void find(List<Edge> edges, boolean ends, Passage before, Use use) {
        if (ends && !ofAll.contains(RunPlan.NOWHERE)) {
            add(RunPlan.NOWHERE, before);
        }
        for (Edge edge : edges) {
            Passage its = before.then(edge.passage());
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

    private void add(int number, Passage way) {
        if (way.isAll()) {
            ofAll.add(number);
        } else {
            ofSome.computeIfAbsent(number, _ -> new ArrayList<>()).add(way);
        }
    }
}
