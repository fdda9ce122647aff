package dev.jacquard.cluster.partition;

import java.util.Arrays;

/**
 * Tries all partitions of a small graph, except partitions that cannot be better than the best one known. Vertices are
 * put into parts one after the other, the heaviest first; equal numberings of the parts are tried once.
 *
 * <p>Confined to one thread.
 */
final class BranchAndBound {
    /** The largest graph that is tried. */
    static final int MOST_VERTICES = 20;
    /** Ends the search, with the best partition until then: some milliseconds. */
    private static final int MOST_STEPS = 1_000_000;

    private final WeightedGraph graph;
    private final int parts;
    private final int[] order;
    private final int[] partOf;
    private final long[] loads;
    private final int[] best;
    private long bestLoad;
    private long bestCut;
    private int steps;

    private BranchAndBound(WeightedGraph graph, int parts, long limit, int[] known) {
        this.graph = graph;
        this.parts = parts;
        this.order = Balance.heaviestFirst(graph);
        this.partOf = new int[known.length];
        this.loads = new long[parts];
        this.best = known.clone();
        Partition partition = Partition.of(graph, parts, known);
        this.bestLoad = Math.max(limit, partition.heaviest());
        this.bestCut = partition.cut();
    }

    /**
     * Returns the best partition without empty parts: the one with a heaviest part that exceeds {@code limit} least,
     * and among several the one with the smallest cut.
     *
     * @param known a partition without empty parts
     */
    static int[] best(WeightedGraph graph, int parts, long limit, int[] known) {
        BranchAndBound search = new BranchAndBound(graph, parts, limit, known);
        Arrays.fill(search.partOf, -1);
        search.descend(0, 0, limit, 0);
        return search.best;
    }

    private void descend(int depth, int used, long load, long cut) {
        if (depth == order.length) {
            bestLoad = load;
            bestCut = cut;
            System.arraycopy(partOf, 0, best, 0, best.length);
            return;
        }
        int vertex = order[depth];
        int first = parts - used == order.length - depth ? used : 0; // each further vertex fills a part
        for (int part = first; part < Math.min(used + 1, parts) && steps < MOST_STEPS; part++) {
            steps++;
            loads[part] += graph.weights[vertex];
            long itsLoad = Math.max(load, loads[part]);
            long itsCut = cut + cutOf(vertex, part);
            if (itsLoad < bestLoad || (itsLoad == bestLoad && itsCut < bestCut)) {
                partOf[vertex] = part;
                descend(depth + 1, Math.max(used, part + 1), itsLoad, itsCut);
                partOf[vertex] = -1;
            }
            loads[part] -= graph.weights[vertex];
        }
    }

    /** The weight of the edges from {@code vertex} to vertices that are in other parts already. */
    private long cutOf(int vertex, int part) {
        long cut = 0;
        for (int arc = graph.offsets[vertex]; arc < graph.offsets[vertex + 1]; arc++) {
            int other = partOf[graph.neighbours[arc]];
            if (other >= 0 && other != part) {
                cut += graph.edgeWeights[arc];
            }
        }
        return cut;
    }
}
