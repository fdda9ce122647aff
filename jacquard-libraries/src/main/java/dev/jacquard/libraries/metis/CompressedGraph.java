package dev.jacquard.libraries.metis;

import dev.jacquard.cluster.partition.WeightedGraph;

/**
 * A graph in compressed rows with 32-bit numbers, as METIS takes it. A wrong one would end the process in native code,
 * so that it is checked.
 *
 * @param offsets where the neighbours of a vertex begin; one more than there are vertices
 * @param neighbours the neighbours of all vertices, the neighbours of one vertex in ascending order
 * @param weights the weight of each vertex
 * @param edgeWeights the weight of the edge to each of the neighbours
 */
record CompressedGraph(int[] offsets, int[] neighbours, int[] weights, int[] edgeWeights) {
    /** The largest sum of weights: METIS adds them as 32-bit numbers, edges in both directions. */
    private static final long MOST = 1 << 30;

    CompressedGraph {
        if (offsets.length != weights.length + 1
                || offsets[0] != 0
                || offsets[weights.length] != neighbours.length
                || edgeWeights.length != neighbours.length) {
            throw new IllegalArgumentException("a graph of " + weights.length + " vertices has " + offsets.length
                    + " offsets, " + neighbours.length + " neighbours and " + edgeWeights.length
                    + " weights of them; expected one offset more than vertices, from 0 to the number of neighbours");
        }
        requireUndirected(offsets, neighbours, edgeWeights);
    }

    /** Goes through the arcs by their first vertex: each row meets the arcs that come back to it in its own order. */
    private static void requireUndirected(int[] offsets, int[] neighbours, int[] edgeWeights) {
        int vertices = offsets.length - 1;
        int[] next = offsets.clone();
        for (int vertex = 0; vertex < vertices; vertex++) {
            for (int arc = offsets[vertex]; arc < offsets[vertex + 1]; arc++) {
                int other = neighbours[arc];
                if (other < 0 || other >= vertices || other == vertex) {
                    throw new IllegalArgumentException("vertex " + vertex + " has an edge to "
                            + (other == vertex ? "itself" : "vertex " + other) + "; expected another vertex from 0 to "
                            + (vertices - 1));
                }
                int back = next[other]++;
                if (back >= offsets[other + 1] || neighbours[back] != vertex || edgeWeights[back] != edgeWeights[arc]) {
                    throw new IllegalArgumentException("vertex " + vertex + " has an edge of weight "
                            + edgeWeights[arc] + " to vertex " + other
                            + ", which has no such edge back; expected an undirected graph with ascending neighbours");
                }
            }
        }
    }

    /**
     * Returns the same graph in compressed rows. Weights are divided by a common factor where their sum is too large.
     */
    static CompressedGraph of(WeightedGraph graph) {
        int vertices = graph.vertices();
        int[] offsets = new int[vertices + 1];
        int[] neighbours = new int[2 * graph.edges()];
        int[] weights = new int[vertices];
        int[] edgeWeights = new int[neighbours.length];
        double all = 0;
        for (int vertex = 0; vertex < vertices; vertex++) {
            for (int place = 0; place < graph.degree(vertex); place++) {
                all += graph.edgeWeight(vertex, place);
            }
        }
        double share = Math.min(1, MOST / Math.max(1, all));
        double vertexShare = Math.min(1, MOST / Math.max(1, (double) graph.totalWeight()));
        int next = 0;
        for (int vertex = 0; vertex < vertices; vertex++) {
            weights[vertex] = (int) (graph.weight(vertex) * vertexShare);
            for (int place = 0; place < graph.degree(vertex); place++) {
                neighbours[next] = graph.neighbour(vertex, place);
                edgeWeights[next++] = (int) Math.max(1, graph.edgeWeight(vertex, place) * share);
            }
            offsets[vertex + 1] = next;
        }
        return new CompressedGraph(offsets, neighbours, weights, edgeWeights);
    }
}
