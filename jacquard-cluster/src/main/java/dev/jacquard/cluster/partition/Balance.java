package dev.jacquard.cluster.partition;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Evens the loads of parts: moves a vertex from the heaviest part to another one, or swaps it for a lighter vertex
 * there, until no part exceeds a limit or no such step helps. Of the steps that help as much, the one that adds least
 * to the cut is taken.
 *
 * <p>Confined to one thread.
 */
final class Balance {
    /** The reciprocal of the share by which a load may exceed an even one. */
    private static final int SLACK = 1000;
    /** The number of vertices tried for a swap, of the vertices just lighter and just heavier than the best weight. */
    private static final int NEAR = 4;

    private final WeightedGraph graph;
    private final int[] partOf;
    private final long[] loads;
    /** The vertices of each part, the lightest first. */
    private final int[][] members;

    private final int[] sizes;

    private Balance(WeightedGraph graph, int[] partOf, long[] loads) {
        this.graph = graph;
        this.partOf = partOf;
        this.loads = loads;
        int[] order = heaviestFirst(graph);
        for (int i = 0, j = order.length - 1; i < j; i++, j--) {
            int vertex = order[i];
            order[i] = order[j];
            order[j] = vertex;
        }
        this.members = PartsRefinement.members(partOf, loads.length, order);
        this.sizes = Arrays.stream(members).mapToInt(its -> its.length).toArray();
    }

    /** Returns the vertices, the heaviest first; vertices of the same weight in ascending order. */
    static int[] heaviestFirst(WeightedGraph graph) {
        return IntStream.range(0, graph.vertices())
                .boxed()
                .sorted(Comparator.comparingLong((Integer vertex) -> -graph.weights[vertex]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /**
     * Returns the load up to which a part is light enough. It is the least that the heaviest part can have, as far as
     * the total weight and the heaviest vertices tell, and a thousandth of an even share: loads that differ by less are
     * not worth a larger cut.
     *
     * @param parts fewer than vertices
     */
    static long limit(WeightedGraph graph, int parts) {
        int[] order = heaviestFirst(graph);
        long even = (graph.totalWeight() + parts - 1) / parts;
        long two = graph.weights[order[parts - 1]] + graph.weights[order[parts]]; // two of the first share a part
        long least = Math.max(even, Math.max(graph.weights[order[0]], two));
        return Math.max(least, even + even / SLACK);
    }

    /** Returns the parts by weight alone: each vertex, the heaviest first, goes to the lightest part; then evened. */
    static int[] packed(WeightedGraph graph, int parts, long limit) {
        int[] partOf = new int[graph.vertices()];
        long[] loads = new long[parts];
        GainHeap lightest = new GainHeap(parts);
        for (int part = parts - 1; part >= 0; part--) {
            lightest.add(part, 0);
        }
        for (int vertex : heaviestFirst(graph)) {
            int part = lightest.first();
            partOf[vertex] = part;
            loads[part] += graph.weights[vertex];
            lightest.change(part, -graph.weights[vertex]);
        }
        even(graph, partOf, loads, limit);
        return partOf;
    }

    /** Evens {@code loads} by changes of {@code partOf}, until none exceeds {@code limit} or no step helps. */
    static void even(WeightedGraph graph, int[] partOf, long[] loads, long limit) {
        if (loads[heaviest(loads)] > limit) {
            Balance balance = new Balance(graph, partOf, loads);
            int most = 256 + 4 * loads.length;
            int steps = 0;
            while (steps < most && balance.step(limit)) {
                steps++;
            }
        }
    }

    private static int heaviest(long[] loads) {
        int heaviest = 0;
        for (int part = 1; part < loads.length; part++) {
            heaviest = loads[part] > loads[heaviest] ? part : heaviest;
        }
        return heaviest;
    }

    private boolean step(long limit) {
        int from = heaviest(loads);
        if (loads[from] <= limit) {
            return false;
        }
        Step best = new Step(-1, -1, -1, loads[from], 0);
        for (int i = 0; i < sizes[from]; i++) {
            int vertex = members[from][i];
            for (int to = 0; to < loads.length; to++) {
                if (to != from) {
                    best = best(best, vertex, to, limit);
                }
            }
        }
        if (best.vertex < 0) {
            return false;
        }
        move(best.vertex, best.to);
        if (best.other >= 0) {
            move(best.other, from);
        }
        return true;
    }

    /**
     * A vertex that leaves the heaviest part.
     *
     * @param other the vertex that comes back for it, or -1
     * @param load the larger load of the two parts thereafter, at least the limit
     * @param cost the growth of the cut
     */
    private record Step(int vertex, int to, int other, long load, long cost) {}

    /** The best step that takes {@code vertex} to {@code to}, or {@code best} if that is better. */
    private Step best(Step best, int vertex, int to, long limit) {
        int from = partOf[vertex];
        Step better = better(best, vertex, to, -1, limit);
        long weight = graph.weights[vertex] - (loads[from] - loads[to]) / 2; // evens the two loads
        int place = firstFrom(to, weight);
        for (int i = Math.max(0, place - NEAR); i < Math.min(sizes[to], place + NEAR); i++) {
            better = better(better, vertex, to, members[to][i], limit);
        }
        return better;
    }

    private Step better(Step best, int vertex, int to, int other, long limit) {
        long weight = graph.weights[vertex] - (other < 0 ? 0 : graph.weights[other]);
        long load = Math.max(limit, Math.max(loads[partOf[vertex]] - weight, loads[to] + weight));
        if (load > best.load || (load == best.load && best.vertex < 0)) {
            return best;
        }
        long cost = cost(vertex, to, other);
        return load < best.load || cost < best.cost ? new Step(vertex, to, other, load, cost) : best;
    }

    private long cost(int vertex, int to, int other) {
        int from = partOf[vertex];
        long cost = 0;
        for (int arc = graph.offsets[vertex]; arc < graph.offsets[vertex + 1]; arc++) {
            int end = graph.neighbours[arc];
            long weight = graph.edgeWeights[arc];
            if (end == other) {
                cost += 2 * weight; // stays cut, though each of the two moves counts it as gained
            }
            cost += partOf[end] == from ? weight : partOf[end] == to ? -weight : 0;
        }
        if (other >= 0) {
            for (int arc = graph.offsets[other]; arc < graph.offsets[other + 1]; arc++) {
                int part = partOf[graph.neighbours[arc]];
                cost += part == to ? graph.edgeWeights[arc] : part == from ? -graph.edgeWeights[arc] : 0;
            }
        }
        return cost;
    }

    /** The place of the first member of a part that weighs at least {@code weight}. */
    private int firstFrom(int part, long weight) {
        int low = 0;
        int high = sizes[part];
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (graph.weights[members[part][middle]] < weight) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private void move(int vertex, int to) {
        int from = partOf[vertex];
        long weight = graph.weights[vertex];
        int place = firstFrom(from, weight);
        while (members[from][place] != vertex) {
            place++;
        }
        System.arraycopy(members[from], place + 1, members[from], place, --sizes[from] - place);
        if (sizes[to] == members[to].length) {
            members[to] = Arrays.copyOf(members[to], 2 * sizes[to] + 4);
        }
        int target = firstFrom(to, weight);
        System.arraycopy(members[to], target, members[to], target + 1, sizes[to]++ - target);
        members[to][target] = vertex;
        partOf[vertex] = to;
        loads[from] -= weight;
        loads[to] += weight;
    }

    /**
     * Moves a vertex into each empty part, from a part that has several: the one that adds least to the cut.
     *
     * @param parts at most as many as vertices
     */
    static void fill(WeightedGraph graph, int[] partOf, int parts) {
        int[] sizes = new int[parts];
        for (int part : partOf) {
            sizes[part]++;
        }
        for (int part = 0; part < parts; part++) {
            if (sizes[part] == 0) {
                int vertex = cheapest(graph, partOf, sizes);
                sizes[partOf[vertex]]--;
                sizes[part]++;
                partOf[vertex] = part;
            }
        }
    }

    private static int cheapest(WeightedGraph graph, int[] partOf, int[] sizes) {
        int cheapest = -1;
        long least = Long.MAX_VALUE;
        for (int vertex = 0; vertex < partOf.length; vertex++) {
            if (sizes[partOf[vertex]] < 2) {
                continue;
            }
            long cost = 0;
            for (int arc = graph.offsets[vertex]; arc < graph.offsets[vertex + 1]; arc++) {
                cost += partOf[graph.neighbours[arc]] == partOf[vertex] ? graph.edgeWeights[arc] : 0;
            }
            if (cost < least) {
                least = cost;
                cheapest = vertex;
            }
        }
        return cheapest;
    }
}
