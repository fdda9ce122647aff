package dev.jacquard.drawing;

import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.insight.analysis.GraphSnapshot.Edge;
import dev.jacquard.insight.analysis.GraphSnapshot.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A graph without the edges that follow from others: the later task waits for the earlier one over other tasks too. The
 * graph that is left orders the same tasks. Edges of a policy stay, and stand for no others.
 *
 * <p>Source: A. V. Aho, M. R. Garey, J. D. Ullman, The transitive reduction of a directed graph, SIAM Journal on
 * Computing 1 (1972).
 *
 * <p>Threads: confined.
 */
final class TransitiveReduction {
    /** Edges that are followed at most; beyond that, edges stay. */
    private static final long MOST_STEPS = 20_000_000;

    private final GraphSnapshot graph;
    /** Of each task, the earlier tasks of the edges that stay, by index. */
    private final List<Set<Integer>> kept = new ArrayList<>();
    /** The last task whose search has passed each task. */
    private final int[] seenBy;

    private long steps;

    private TransitiveReduction(GraphSnapshot graph) {
        this.graph = graph;
        this.seenBy = IntStream.range(0, graph.tasks().size()).map(task -> -1).toArray();
    }

    /** Returns the graph with the edges that do not follow from others. */
    static GraphSnapshot of(GraphSnapshot graph) {
        return new TransitiveReduction(graph).reduced();
    }

    private GraphSnapshot reduced() {
        List<Set<Integer>> before = new ArrayList<>();
        graph.tasks().forEach(task -> before.add(new HashSet<>()));
        for (Edge edge : graph.edges()) {
            if (edge.kind() != Kind.POLICY) {
                before.get(graph.indexOf(edge.later())).add(graph.indexOf(edge.earlier()));
            }
        }
        for (int task = 0; task < before.size(); task++) { // edges lead to later tasks
            kept.add(reduced(task, before.get(task)));
        }
        GraphSnapshot.Builder builder = GraphSnapshot.builder(graph.name());
        graph.tasks().forEach(builder::task);
        for (Edge edge : graph.edges()) {
            int earlier = graph.indexOf(edge.earlier());
            if (edge.kind() == Kind.POLICY
                    || kept.get(graph.indexOf(edge.later())).contains(earlier)) {
                builder.edge(edge.earlier(), edge.later(), edge.kind(), edge.label());
            }
        }
        return builder.build();
    }

    /** Returns those of the earlier tasks that are not before another of them, latest first. */
    private Set<Integer> reduced(int task, Set<Integer> before) {
        if (before.size() < 2) {
            return before;
        }
        int[] latestFirst = before.stream()
                .mapToInt(earlier -> -earlier)
                .sorted()
                .map(earlier -> -earlier)
                .toArray();
        int first = latestFirst[latestFirst.length - 1];
        Set<Integer> left = new HashSet<>();
        for (int earlier : latestFirst) {
            if (seenBy[earlier] != task) {
                left.add(earlier);
                mark(earlier, first, task);
            }
        }
        return left;
    }

    /** Marks all tasks before one, down to the first that matters. */
    private void mark(int from, int first, int task) {
        Deque<Integer> next = new ArrayDeque<>(List.of(from));
        while (!next.isEmpty() && steps < MOST_STEPS) {
            for (int earlier : kept.get(next.pop())) {
                steps++;
                if (earlier >= first && seenBy[earlier] != task) {
                    seenBy[earlier] = task;
                    next.push(earlier);
                }
            }
        }
    }
}
