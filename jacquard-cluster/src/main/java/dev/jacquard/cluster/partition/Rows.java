package dev.jacquard.cluster.partition;

import java.util.Arrays;

/** Makes graphs from lists of edges: both directions of each edge, sorted, parallel edges summed. */
final class Rows {
    private Rows() {}

    /**
     * Returns the graph of the first {@code edges} edges in {@code from} and {@code to}, which has no self loops. Takes
     * a time that is linear in vertices and edges.
     */
    static WeightedGraph of(long[] weights, int edges, int[] from, int[] to, long[] edgeWeights) {
        int vertices = weights.length;
        int[] starts = new int[vertices + 1];
        for (int edge = 0; edge < edges; edge++) {
            starts[from[edge] + 1]++;
            starts[to[edge] + 1]++;
        }
        for (int vertex = 0; vertex < vertices; vertex++) {
            starts[vertex + 1] = Math.addExact(starts[vertex + 1], starts[vertex]);
        }
        int arcs = starts[vertices];
        int[] ends = new int[arcs];
        long[] arcWeights = new long[arcs];
        int[] next = Arrays.copyOf(starts, vertices);
        for (int edge = 0; edge < edges; edge++) {
            append(next, ends, arcWeights, from[edge], to[edge], edgeWeights[edge]);
            append(next, ends, arcWeights, to[edge], from[edge], edgeWeights[edge]);
        }
        // The graph is symmetric: its transpose has the same rows, and they come out sorted.
        int[] sortedEnds = new int[arcs];
        long[] sortedWeights = new long[arcs];
        System.arraycopy(starts, 0, next, 0, vertices);
        for (int vertex = 0; vertex < vertices; vertex++) {
            for (int arc = starts[vertex]; arc < starts[vertex + 1]; arc++) {
                append(next, sortedEnds, sortedWeights, ends[arc], vertex, arcWeights[arc]);
            }
        }
        return summed(weights, starts, sortedEnds, sortedWeights);
    }

    private static void append(int[] next, int[] ends, long[] arcWeights, int row, int end, long weight) {
        ends[next[row]] = end;
        arcWeights[next[row]++] = weight;
    }

    /** Sums arcs with the same ends in the sorted rows, in place. */
    private static WeightedGraph summed(long[] weights, int[] starts, int[] ends, long[] arcWeights) {
        int[] offsets = new int[starts.length];
        int last = 0;
        for (int vertex = 0; vertex < weights.length; vertex++) {
            int first = last;
            for (int arc = starts[vertex]; arc < starts[vertex + 1]; arc++) {
                if (last > first && ends[last - 1] == ends[arc]) {
                    arcWeights[last - 1] += arcWeights[arc];
                } else {
                    ends[last] = ends[arc];
                    arcWeights[last++] = arcWeights[arc];
                }
            }
            offsets[vertex + 1] = last;
        }
        return new WeightedGraph(weights, offsets, Arrays.copyOf(ends, last), Arrays.copyOf(arcWeights, last));
    }
}
