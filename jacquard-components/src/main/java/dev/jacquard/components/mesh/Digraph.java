package dev.jacquard.components.mesh;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;

/** A directed graph of numbered nodes, and the questions that meshing asks. Immutable. All in linear time. */
final class Digraph {
    private final int[][] next;
    private final int[][] before;

    /**
     * A graph.
     *
     * @param nodes their number
     * @param from the starts of its edges
     * @param to the ends, in the same order; an edge may be there several times
     */
    Digraph(int nodes, int[] from, int[] to) {
        next = grouped(nodes, from, to);
        before = grouped(nodes, to, from);
    }

    private static int[][] grouped(int nodes, int[] by, int[] values) {
        int[] counts = new int[nodes];
        for (int node : by) {
            counts[node]++;
        }
        int[][] groups = new int[nodes][];
        for (int i = 0; i < nodes; i++) {
            groups[i] = new int[counts[i]];
        }
        for (int i = by.length - 1; i >= 0; i--) {
            groups[by[i]][--counts[by[i]]] = values[i];
        }
        for (int i = 0; i < nodes; i++) {
            groups[i] = Arrays.stream(groups[i]).distinct().toArray();
        }
        return groups;
    }

    int nodes() {
        return next.length;
    }

    /** Returns the nodes to which edges lead from a node, each once. The array is the graph's own. */
    int[] next(int node) {
        return next[node];
    }

    /** Returns the nodes from which edges lead to a node, each once. The array is the graph's own. */
    int[] before(int node) {
        return before[node];
    }

    /**
     * Returns the nodes in topological order, of several that could come next the one with the least rank first. Nodes
     * on cycles, and after them, are left out.
     */
    int[] order(int[] ranks) {
        int[] missing = new int[nodes()];
        PriorityQueue<Integer> ready =
                new PriorityQueue<>((a, b) -> ranks[a] != ranks[b] ? Integer.compare(ranks[a], ranks[b]) : a - b);
        for (int i = 0; i < nodes(); i++) {
            missing[i] = before[i].length;
            if (missing[i] == 0) {
                ready.add(i);
            }
        }
        int[] order = new int[nodes()];
        int count = 0;
        while (!ready.isEmpty()) {
            int node = ready.remove();
            order[count++] = node;
            for (int later : next[node]) {
                if (--missing[later] == 0) {
                    ready.add(later);
                }
            }
        }
        return Arrays.copyOf(order, count);
    }

    /**
     * Returns all nodes to which paths lead from {@code start}, itself included, or from which if {@code backwards}.
     */
    BitSet reached(int start, boolean backwards) {
        BitSet reached = new BitSet();
        Deque<Integer> open = new ArrayDeque<>(List.of(start));
        reached.set(start);
        while (!open.isEmpty()) {
            for (int node : (backwards ? before : next)[open.remove()]) {
                if (!reached.get(node)) {
                    reached.set(node);
                    open.add(node);
                }
            }
        }
        return reached;
    }

    /** Returns the nodes of a shortest cycle through {@code start}, beginning with it; none if there is no cycle. */
    List<Integer> cycle(int start) {
        int[] reachedFrom = new int[nodes()];
        Arrays.fill(reachedFrom, -1);
        Deque<Integer> open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty()) {
            int node = open.remove();
            for (int later : next[node]) {
                if (later == start) {
                    List<Integer> cycle = new ArrayList<>();
                    for (int at = node; at != start; at = reachedFrom[at]) {
                        cycle.addFirst(at);
                    }
                    cycle.addFirst(start);
                    return cycle;
                }
                if (reachedFrom[later] < 0) {
                    reachedFrom[later] = node;
                    open.add(later);
                }
            }
        }
        return List.of();
    }

    /**
     * Returns the strongly connected components with more than one node, each in ascending order.
     *
     * <p>Source: R. E. Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1 (1972), with an
     * explicit stack instead of recursion.
     */
    List<int[]> knots() {
        List<int[]> knots = new ArrayList<>();
        int[] index = new int[nodes()]; // 0: not seen yet
        int[] low = new int[nodes()];
        int[] edge = new int[nodes()];
        boolean[] open = new boolean[nodes()];
        Deque<Integer> path = new ArrayDeque<>();
        Deque<Integer> stack = new ArrayDeque<>();
        int seen = 0;
        for (int root = 0; root < nodes(); root++) {
            if (index[root] != 0) {
                continue;
            }
            path.push(root);
            while (!path.isEmpty()) {
                int node = path.peek();
                if (index[node] == 0) {
                    index[node] = ++seen;
                    low[node] = seen;
                    stack.push(node);
                    open[node] = true;
                }
                if (edge[node] < next[node].length) {
                    int later = next[node][edge[node]++];
                    if (index[later] == 0) {
                        path.push(later);
                    } else if (open[later]) {
                        low[node] = Math.min(low[node], index[later]);
                    }
                } else {
                    path.pop();
                    if (!path.isEmpty()) {
                        low[path.peek()] = Math.min(low[path.peek()], low[node]);
                    }
                    if (low[node] == index[node]) {
                        closeKnot(node, stack, open, knots);
                    }
                }
            }
        }
        return knots;
    }

    private static void closeKnot(int root, Deque<Integer> stack, boolean[] open, List<int[]> knots) {
        BitSet knot = new BitSet();
        int node;
        do {
            node = stack.pop();
            open[node] = false;
            knot.set(node);
        } while (node != root);
        if (knot.cardinality() > 1) {
            knots.add(knot.stream().toArray());
        }
    }
}
