package dev.jacquard.cluster.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class WeightedGraphTest {
    @Test
    void parallelEdgesAreSummedAndLoopsLeftOut() {
        WeightedGraph graph = WeightedGraph.builder(4)
                .weight(2, 7)
                .edge(3, 1, 5)
                .edge(1, 3, 6)
                .edge(2, 2, 9)
                .edge(0, 2, 0)
                .edge(1, 0, 1)
                .build();
        assertEquals(10, graph.totalWeight());
        assertEquals(7, graph.weight(2));
        assertEquals(2, graph.edges());
        assertEquals(2, graph.degree(1));
        assertEquals(0, graph.neighbour(1, 0));
        assertEquals(1, graph.edgeWeight(1, 0));
        assertEquals(3, graph.neighbour(1, 1));
        assertEquals(11, graph.edgeWeight(1, 1));
        assertEquals(1, graph.neighbour(3, 0));
        assertEquals(11, graph.edgeWeight(3, 0));
        assertEquals(0, graph.degree(2));
        assertThrows(IndexOutOfBoundsException.class, () -> graph.neighbour(1, 2));
    }

    @Test
    void builtGraphsDoNotChange() {
        WeightedGraph.Builder builder = WeightedGraph.builder(2);
        WeightedGraph before = builder.build();
        WeightedGraph after = builder.weight(0, 5).edge(0, 1, 3).build();
        assertEquals("graph of 2 vertices with weight 2 and 0 edges", before.toString());
        assertEquals("graph of 2 vertices with weight 6 and 1 edges", after.toString());
    }

    @Test
    void manyEdgesAreKept() {
        WeightedGraph.Builder builder = WeightedGraph.builder(1000);
        for (int i = 0; i < 999; i++) {
            builder.edge(i + 1, i, i + 1);
        }
        WeightedGraph path = builder.build();
        assertEquals(999, path.edges());
        assertEquals(500, path.edgeWeight(499, 1));
    }

    @Test
    void wrongVerticesAndWeightsAreRefused() {
        WeightedGraph.Builder builder = WeightedGraph.builder(3);
        refused("there is no vertex 3; the graph has 3 vertices", () -> builder.edge(0, 3, 1));
        refused("there is no vertex -1", () -> builder.weight(-1, 1));
        refused("vertex 1 cannot have weight -2; expected 0 or more", () -> builder.weight(1, -2));
        refused("the edge 0 - 2 cannot have weight -1", () -> builder.edge(0, 2, -1));
        refused("cannot have -1 vertices", () -> WeightedGraph.builder(-1));
        builder.edge(0, 1, 1L << 58);
        refused("with the edge 1 - 2 of weight 288230376151711744 all edges weigh", () -> builder.edge(1, 2, 1L << 58));
        builder.weight(0, 1L << 58).weight(2, 1L << 58);
        refused("with vertex 2 of weight 288230376151711744 all vertices weigh more than", builder::build);
    }

    private static void refused(String message, Executable call) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call);
        assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
    }
}
