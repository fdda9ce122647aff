package dev.jacquard.cluster.partition;

import java.util.Arrays;

/**
 * An undirected graph with a weight for each vertex and each edge. Vertices are numbered from 0 on. The neighbours of a
 * vertex are stored one after the other, in ascending order. There are no self loops, no parallel edges and no edges of
 * weight 0.
 *
 * <pre>{@code
 * WeightedGraph square = WeightedGraph.builder(4)
 *         .weight(0, 3)
 *         .edge(0, 1, 1000)
 *         .edge(1, 2, 10)
 *         .edge(2, 3, 1000)
 *         .edge(3, 0, 10)
 *         .build();
 * }</pre>
 *
 * <p>Immutable, so safe for use by many threads.
 */
public final class WeightedGraph {
    /** The largest sum of weights: sums of a few such sums fit a {@code long}. */
    static final long MOST = Long.MAX_VALUE / 16;

    /** Where the neighbours of a vertex begin in {@link #neighbours}; one more than there are vertices. */
    final int[] offsets;

    final int[] neighbours;
    /** The weight of the edge to each of the {@link #neighbours}. */
    final long[] edgeWeights;

    /** The weight of each vertex. */
    final long[] weights;

    private final long totalWeight;

    /** For arrays that are known to describe an undirected graph. The graph owns them from now on. */
    WeightedGraph(long[] weights, int[] offsets, int[] neighbours, long[] edgeWeights) {
        this.weights = weights;
        this.offsets = offsets;
        this.neighbours = neighbours;
        this.edgeWeights = edgeWeights;
        this.totalWeight = Arrays.stream(weights).sum();
    }

    /**
     * Returns a builder of a graph with {@code vertices} vertices of weight 1 and without edges.
     *
     * @throws IllegalArgumentException if {@code vertices} is negative
     */
    public static Builder builder(int vertices) {
        return new Builder(vertices);
    }

    /** Returns the number of vertices. */
    public int vertices() {
        return weights.length;
    }

    /** Returns the number of edges. */
    public int edges() {
        return neighbours.length / 2;
    }

    /** Returns the weight of a vertex. */
    public long weight(int vertex) {
        return weights[vertex];
    }

    /** Returns the sum of the weights of all vertices. */
    public long totalWeight() {
        return totalWeight;
    }

    /** Returns the number of neighbours of a vertex. */
    public int degree(int vertex) {
        return offsets[vertex + 1] - offsets[vertex];
    }

    /** Returns a neighbour of a vertex, by its place from 0 on in the ascending order of the neighbours. */
    public int neighbour(int vertex, int place) {
        return neighbours[arc(vertex, place)];
    }

    /** Returns the weight of the edge from a vertex to its neighbour at that place. */
    public long edgeWeight(int vertex, int place) {
        return edgeWeights[arc(vertex, place)];
    }

    private int arc(int vertex, int place) {
        if (place < 0 || place >= degree(vertex)) {
            throw new IndexOutOfBoundsException(
                    "vertex " + vertex + " has " + degree(vertex) + " neighbours, and none at place " + place);
        }
        return offsets[vertex] + place;
    }

    /** Returns the weight of the heaviest vertex, or 0 without vertices. */
    long heaviestVertex() {
        long heaviest = 0;
        for (long weight : weights) {
            heaviest = Math.max(heaviest, weight);
        }
        return heaviest;
    }

    /** Returns the number of vertices and arcs: the work of looking at each of them. */
    long size() {
        return (long) weights.length + neighbours.length;
    }

    /** Returns the graph of some vertices and the edges between them. Vertex {@code i} of it is {@code chosen[i]}. */
    WeightedGraph induced(int[] chosen) {
        int[] numbers = new int[vertices()];
        Arrays.fill(numbers, -1);
        long[] its = new long[chosen.length];
        int arcs = 0;
        for (int i = 0; i < chosen.length; i++) {
            numbers[chosen[i]] = i;
            its[i] = weights[chosen[i]];
            arcs += degree(chosen[i]);
        }
        int[] starts = new int[chosen.length + 1];
        int[] ends = new int[arcs];
        long[] arcWeights = new long[arcs];
        int next = 0;
        for (int i = 0; i < chosen.length; i++) {
            for (int arc = offsets[chosen[i]]; arc < offsets[chosen[i] + 1]; arc++) {
                int end = numbers[neighbours[arc]];
                if (end >= 0) {
                    ends[next] = end;
                    arcWeights[next++] = edgeWeights[arc];
                }
            }
            starts[i + 1] = next;
        }
        return new WeightedGraph(its, starts, Arrays.copyOf(ends, next), Arrays.copyOf(arcWeights, next));
    }

    @Override
    public String toString() {
        return "graph of " + vertices() + " vertices with weight " + totalWeight + " and " + edges() + " edges";
    }

    /**
     * Collects the weights and edges of a graph. An edge that is given several times has the sum of the weights, in
     * whichever direction it is given. An edge from a vertex to itself is never cut, so it is left out.
     *
     * <p>Confined to one thread.
     */
    public static final class Builder {
        private final long[] weights;
        private int[] from = new int[16];
        private int[] to = new int[16];
        private long[] edgeWeights = new long[16];
        private int edges;
        private long edgeTotal;

        private Builder(int vertices) {
            if (vertices < 0) {
                throw new IllegalArgumentException("a graph cannot have " + vertices + " vertices; expected 0 or more");
            }
            weights = new long[vertices];
            Arrays.fill(weights, 1);
        }

        /**
         * Sets the weight of a vertex.
         *
         * @throws IllegalArgumentException if there is no such vertex, or {@code weight} is negative
         */
        public Builder weight(int vertex, long weight) {
            requireVertex(vertex);
            if (weight < 0) {
                throw new IllegalArgumentException(
                        "vertex " + vertex + " cannot have weight " + weight + "; expected 0 or more");
            }
            weights[vertex] = weight;
            return this;
        }

        /**
         * Adds an edge between two vertices.
         *
         * @throws IllegalArgumentException if a vertex is unknown, {@code weight} is negative, or the edges weigh more
         *     than 2<sup>59</sup> together
         */
        public Builder edge(int a, int b, long weight) {
            requireVertex(a);
            requireVertex(b);
            if (weight < 0) {
                throw new IllegalArgumentException(
                        "the edge " + a + " - " + b + " cannot have weight " + weight + "; expected 0 or more");
            }
            if (weight > MOST - edgeTotal) {
                throw new IllegalArgumentException("with the edge " + a + " - " + b + " of weight " + weight
                        + " all edges weigh more than " + MOST + "; divide their weights by a common factor");
            }
            if (a == b || weight == 0) {
                return this;
            }
            if (edges == from.length) {
                int length = Math.addExact(edges, Math.max(16, edges / 2));
                from = Arrays.copyOf(from, length);
                to = Arrays.copyOf(to, length);
                edgeWeights = Arrays.copyOf(edgeWeights, length);
            }
            from[edges] = a;
            to[edges] = b;
            edgeWeights[edges++] = weight;
            edgeTotal += weight;
            return this;
        }

        private void requireVertex(int vertex) {
            if (vertex < 0 || vertex >= weights.length) {
                throw new IllegalArgumentException("there is no vertex " + vertex + "; the graph has " + weights.length
                        + " vertices, numbered from 0 on");
            }
        }

        /**
         * Returns the graph. The builder can be used further.
         *
         * @throws IllegalArgumentException if all vertices weigh more than 2<sup>59</sup> together
         */
        public WeightedGraph build() {
            long total = 0;
            for (int vertex = 0; vertex < weights.length; vertex++) {
                if (weights[vertex] > MOST - total) {
                    throw new IllegalArgumentException("with vertex " + vertex + " of weight " + weights[vertex]
                            + " all vertices weigh more than " + MOST + "; divide their weights by a common factor");
                }
                total += weights[vertex];
            }
            return Rows.of(weights.clone(), edges, from, to, edgeWeights);
        }
    }
}
