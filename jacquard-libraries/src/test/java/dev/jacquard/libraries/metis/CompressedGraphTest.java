package dev.jacquard.libraries.metis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.cluster.partition.WeightedGraph;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class CompressedGraphTest {
    @Test
    void weightsAreKept() {
        CompressedGraph graph = CompressedGraph.of(WeightedGraph.builder(3)
                .weight(1, 0)
                .edge(2, 0, 8)
                .edge(0, 1, 9)
                .build());
        assertArrayEquals(new int[] {0, 2, 3, 4}, graph.offsets());
        assertArrayEquals(new int[] {1, 2, 0, 0}, graph.neighbours());
        assertArrayEquals(new int[] {9, 8, 9, 8}, graph.edgeWeights());
        assertArrayEquals(new int[] {1, 0, 1}, graph.weights());
    }

    /** METIS adds weights as 32-bit numbers. */
    @Test
    void largeWeightsAreScaled() {
        WeightedGraph.Builder path = WeightedGraph.builder(1000);
        for (int vertex = 0; vertex < 1000; vertex++) {
            path.weight(vertex, 1L << 48);
            if (vertex > 0) {
                path.edge(vertex - 1, vertex, vertex == 1 ? 1 : 1L << 48);
            }
        }
        CompressedGraph graph = CompressedGraph.of(path.build());
        assertEquals(1, graph.edgeWeights()[0], "an edge stays one");
        for (int[] weights : new int[][] {graph.weights(), graph.edgeWeights()}) {
            long sum = Arrays.stream(weights).asLongStream().sum();
            assertTrue(sum > (1 << 29) && sum <= (1 << 30) + 1, "" + sum);
        }
    }

    @Test
    void loopsAndDirectedEdgesAreRefused() {
        int[] ones = {1, 1, 1};
        refused(
                "vertex 1 has an edge to itself",
                () -> new CompressedGraph(new int[] {0, 1, 3, 3}, new int[] {1, 0, 1}, ones, new int[] {1, 1, 1}));
        refused(
                "vertex 2 has an edge to vertex 3; expected another vertex from 0 to 2",
                () -> new CompressedGraph(new int[] {0, 0, 0, 1}, new int[] {3}, ones, new int[] {1}));
        refused(
                "vertex 1 has an edge of weight 5 to vertex 2, which has no such edge back",
                () -> new CompressedGraph(new int[] {0, 1, 3, 3}, new int[] {1, 0, 2}, ones, new int[] {4, 4, 5}));
        refused(
                "vertex 0 has an edge of weight 4 to vertex 1, which has no such edge back",
                () -> new CompressedGraph(new int[] {0, 1, 2, 2}, new int[] {1, 0}, ones, new int[] {4, 5}));
        refused(
                "3 vertices has 3 offsets",
                () -> new CompressedGraph(new int[] {0, 1, 2}, new int[] {1, 0}, ones, new int[] {4, 4}));
    }

    private static void refused(String message, Executable call) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call);
        assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
    }
}
