package dev.jacquard.cluster.partition;

import java.util.Arrays;

/**
 * The part of each vertex of a graph. A part's load is the weight of its vertices; the cut is the weight of the edges
 * between different parts.
 *
 * <p>Immutable, so safe for use by many threads.
 */
public final class Partition {
    private final int[] partOf;
    private final long[] loads;
    private final long heaviest;
    private final long cut;
    private final int emptyParts;

    private Partition(WeightedGraph graph, int parts, int[] partOf) {
        this.partOf = partOf;
        this.loads = new long[parts];
        boolean[] used = new boolean[parts];
        int empty = parts;
        for (int vertex = 0; vertex < partOf.length; vertex++) {
            loads[partOf[vertex]] += graph.weights[vertex];
            if (!used[partOf[vertex]]) {
                used[partOf[vertex]] = true;
                empty--;
            }
        }
        this.heaviest = Arrays.stream(loads).max().orElse(0);
        this.cut = cut(graph, partOf);
        this.emptyParts = empty;
    }

    /**
     * Returns the partition that puts each vertex of {@code graph} into its part in {@code partOf}.
     *
     * @param parts the number of parts; some may be empty
     * @param partOf the part of each vertex, from 0 to {@code parts - 1}; copied
     * @throws IllegalArgumentException if {@code parts} is below 1, {@code partOf} has another length than the graph
     *     has vertices, or a part is out of range
     */
    public static Partition of(WeightedGraph graph, int parts, int[] partOf) {
        requireParts(parts);
        if (partOf.length != graph.vertices()) {
            throw new IllegalArgumentException("there are parts for " + partOf.length + " vertices; expected them for "
                    + graph.vertices() + ", as the graph has");
        }
        for (int vertex = 0; vertex < partOf.length; vertex++) {
            if (partOf[vertex] < 0 || partOf[vertex] >= parts) {
                throw new IllegalArgumentException("vertex " + vertex + " is in part " + partOf[vertex]
                        + "; expected one from 0 to " + (parts - 1));
            }
        }
        return new Partition(graph, parts, partOf.clone());
    }

    /** Throws an {@link IllegalArgumentException} unless there is at least one part. */
    static void requireParts(int parts) {
        if (parts < 1) {
            throw new IllegalArgumentException("a graph cannot be cut into " + parts + " parts; expected 1 or more");
        }
    }

    /** Returns the weight of the edges between different parts. */
    static long cut(WeightedGraph graph, int[] partOf) {
        long twice = 0;
        for (int vertex = 0; vertex < partOf.length; vertex++) {
            for (int arc = graph.offsets[vertex]; arc < graph.offsets[vertex + 1]; arc++) {
                if (partOf[vertex] != partOf[graph.neighbours[arc]]) {
                    twice += graph.edgeWeights[arc];
                }
            }
        }
        return twice / 2;
    }

    /** Returns the number of parts, empty ones included. */
    public int parts() {
        return loads.length;
    }

    /** Returns the number of parts without a vertex. */
    public int emptyParts() {
        return emptyParts;
    }

    /** Returns the number of vertices. */
    public int vertices() {
        return partOf.length;
    }

    /** Returns the part of a vertex. */
    public int part(int vertex) {
        return partOf[vertex];
    }

    /** Returns the part of each vertex, in a new array. */
    public int[] toArray() {
        return partOf.clone();
    }

    /** Returns the weight of the vertices of a part. */
    public long load(int part) {
        return loads[part];
    }

    /** Returns the largest load of a part. */
    public long heaviest() {
        return heaviest;
    }

    /** Returns the weight of the edges between different parts. */
    public long cut() {
        return cut;
    }

    /**
     * Returns true if this partition is better than another one of the same graph: its heaviest part is lighter, or as
     * heavy while it cuts less.
     */
    public boolean isBetterThan(Partition other) {
        return heaviest != other.heaviest ? heaviest < other.heaviest : cut < other.cut;
    }

    @Override
    public String toString() {
        return Arrays.toString(partOf) + ", loads " + Arrays.toString(loads) + ", cut " + cut;
    }
}
