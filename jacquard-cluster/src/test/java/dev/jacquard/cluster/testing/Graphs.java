package dev.jacquard.cluster.testing;

import dev.jacquard.cluster.partition.WeightedGraph;
import java.util.Random;

/** Graphs to cut. */
public final class Graphs {
    private Graphs() {}

    /** Returns the grid of so many points along each dimension, with an edge between neighbours. */
    public static WeightedGraph grid(int... lengths) {
        int vertices = 1;
        for (int length : lengths) {
            vertices *= length;
        }
        WeightedGraph.Builder graph = WeightedGraph.builder(vertices);
        int stride = 1;
        for (int length : lengths) {
            for (int vertex = 0; vertex < vertices; vertex++) {
                if (vertex / stride % length + 1 < length) {
                    graph.edge(vertex, vertex + stride, 1);
                }
            }
            stride *= length;
        }
        return graph.build();
    }

    /**
     * Returns a random graph.
     *
     * @param edges of random ends, so that some are given twice or are loops
     * @param heaviest the largest weight of a vertex or an edge; the least is 0
     */
    public static WeightedGraph random(Random random, int vertices, int edges, int heaviest) {
        WeightedGraph.Builder graph = WeightedGraph.builder(vertices);
        for (int vertex = 0; vertex < vertices; vertex++) {
            graph.weight(vertex, random.nextInt(heaviest + 1));
        }
        for (int edge = 0; edge < edges; edge++) {
            graph.edge(random.nextInt(vertices), random.nextInt(vertices), random.nextInt(heaviest + 1));
        }
        return graph.build();
    }
}
