package dev.jacquard.cluster.partition;

/** An undirected graph with weights. */
public final class WeightedGraph {
    private WeightedGraph() {}
}
