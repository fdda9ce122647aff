package dev.jacquard.cluster.partition;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Cuts a graph in two, by way of coarser graphs: the coarsest one is cut from several starts, and the best cut is
 * refined on each finer graph.
 *
 * <pre>
 *  graph --pairs become vertices--> coarser --> coarsest --grow a side, refine; from several starts--> best
 *  sides &lt;--refine-- finer graph &lt;--refine-- finer graph &lt;------------------------------------------+
 * </pre>
 *
 * <p>Source: G. Karypis, V. Kumar: A fast and high quality multilevel scheme for partitioning irregular graphs, SIAM
 * Journal on Scientific Computing 20, 1998.
 */
final class Bisection {
    /** Vertices of the coarsest graph. */
    private static final int COARSEST = 60;
    /** Starts from a random vertex each. */
    private static final int STARTS = 8;

    private final SeededRandom random;
    /** The load of side 0 to aim for, as a share of the whole. */
    private final double share;
    /** The largest load of each side. */
    private final long[] limits;

    private Bisection(int parts0, int parts1, long limit, SeededRandom random) {
        this.random = random;
        this.share = (double) parts0 / (parts0 + parts1);
        this.limits = new long[] {times(parts0, limit), times(parts1, limit)};
    }

    /** The load that {@code parts} parts may have, as far as a graph can have it. */
    private static long times(int parts, long limit) {
        return limit > WeightedGraph.MOST / parts ? WeightedGraph.MOST : parts * limit;
    }

    /**
     * Puts the vertices of a graph into parts, by bisections of bisections.
     *
     * @param limit the load that no part should exceed
     * @return the part of each vertex; a part may be empty, or exceed the limit
     */
    static int[] recursive(WeightedGraph graph, int parts, long limit, SeededRandom random) {
        int[] all = IntStream.range(0, graph.vertices()).toArray();
        int[] partOf = new int[all.length];
        split(graph, all, 0, parts, limit, random, partOf);
        return partOf;
    }

    /** Splits a graph with {@code originals[i]} of the whole as vertex {@code i} into parts from a first one on. */
    private static void split(
            WeightedGraph graph,
            int[] originals,
            int firstPart,
            int parts,
            long limit,
            SeededRandom random,
            int[] partOf) {
        if (parts == 1 || originals.length == 0) {
            for (int original : originals) {
                partOf[original] = firstPart;
            }
            return;
        }
        int parts0 = parts / 2;
        int[] sides = new Bisection(parts0, parts - parts0, limit, random).sides(graph);
        for (int side = 0; side < 2; side++) {
            int wanted = side;
            int[] chosen = IntStream.range(0, sides.length)
                    .filter(vertex -> sides[vertex] == wanted)
                    .toArray();
            int its = side == 0 ? parts0 : parts - parts0;
            WeightedGraph half = its == 1 ? graph : graph.induced(chosen);
            Arrays.setAll(chosen, i -> originals[chosen[i]]);
            split(half, chosen, firstPart + (side == 0 ? 0 : parts0), its, limit, random, partOf);
        }
    }

    /** The side of each vertex of a graph. */
    private int[] sides(WeightedGraph graph) {
        List<Coarsening> steps = Coarsening.steps(graph, COARSEST, null, random);
        WeightedGraph coarsest = steps.isEmpty() ? graph : steps.getLast().coarse();
        int[] sides = best(coarsest, steps.isEmpty());
        for (int i = steps.size() - 1; i >= 0; i--) {
            WeightedGraph finer = i == 0 ? graph : steps.get(i - 1).coarse();
            sides = steps.get(i).refined(sides);
            refine(finer, sides, i == 0);
        }
        return sides;
    }

    /** The best sides from all starts. */
    private int[] best(WeightedGraph graph, boolean finest) {
        int[] best = byWeight(graph);
        long[] rating = refine(graph, best, finest);
        for (int i = 0; i < STARTS; i++) {
            int[] sides = grown(graph);
            long[] its = refine(graph, sides, finest);
            if (Arrays.compare(its, rating) < 0) {
                best = sides;
                rating = its;
            }
        }
        return best;
    }

    /**
     * Refines sides.
     *
     * @return the load that exceeds a limit, and the cut
     */
    private long[] refine(WeightedGraph graph, int[] sides, boolean finest) {
        long[] loads = new long[2];
        for (int vertex = 0; vertex < sides.length; vertex++) {
            loads[sides[vertex]] += graph.weights[vertex];
        }
        // Few heavy vertices cannot be balanced well: on a coarse graph each side may exceed its limit by one of them.
        long more = finest ? 0 : graph.totalWeight() / Math.max(1, graph.vertices());
        new PairRefinement(graph, sides, loads)
                .refine(0, 1, limits[0] + more, limits[1] + more, random.order(sides.length));
        long excess = Math.max(loads[0] - limits[0], loads[1] - limits[1]);
        return new long[] {Math.max(0, excess - more), Partition.cut(graph, sides)};
    }

    /** Sides by weight alone: each vertex, the heaviest first, goes where more is left of the share. */
    private int[] byWeight(WeightedGraph graph) {
        int[] sides = new int[graph.vertices()];
        double[] left = {share * graph.totalWeight(), (1 - share) * graph.totalWeight()};
        for (int vertex : Balance.heaviestFirst(graph)) {
            int side = left[0] >= left[1] ? 0 : 1;
            sides[vertex] = side;
            left[side] -= graph.weights[vertex];
        }
        return sides;
    }

    /** Sides by growing side 0 from a random vertex, always by the vertex that adds least to the cut. */
    private int[] grown(WeightedGraph graph) {
        int vertices = graph.vertices();
        int[] sides = new int[vertices];
        Arrays.fill(sides, 1);
        GainHeap border = new GainHeap(vertices);
        int[] order = random.order(vertices);
        int next = 0;
        double left = share * graph.totalWeight();
        boolean[] seen = new boolean[vertices];
        while (left > 0) {
            int vertex;
            if (border.isEmpty()) {
                while (next < vertices && seen[order[next]]) {
                    next++;
                }
                if (next == vertices) {
                    break;
                }
                vertex = order[next];
                seen[vertex] = true;
            } else {
                vertex = border.poll();
            }
            if (graph.weights[vertex] > 2 * left) {
                continue; // nearer to the share without it
            }
            sides[vertex] = 0;
            left -= graph.weights[vertex];
            for (int arc = graph.offsets[vertex]; arc < graph.offsets[vertex + 1]; arc++) {
                int other = graph.neighbours[arc];
                long weight = graph.edgeWeights[arc];
                if (border.contains(other)) {
                    border.change(other, 2 * weight);
                } else if (!seen[other]) {
                    seen[other] = true;
                    border.add(other, 2 * weight - degreeWeight(graph, other));
                }
            }
        }
        return sides;
    }

    private static long degreeWeight(WeightedGraph graph, int vertex) {
        long sum = 0;
        for (int arc = graph.offsets[vertex]; arc < graph.offsets[vertex + 1]; arc++) {
            sum += graph.edgeWeights[arc];
        }
        return sum;
    }
}
