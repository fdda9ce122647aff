package dev.jacquard.engine.plan;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class WorkGraphTest {
    private static final double INFINITE = Double.POSITIVE_INFINITY;

    private static WorkGraph chain(double... lastCosts) {
        WorkGraph.Builder graph =
                new WorkGraph.Builder(List.of("host", "gpu")).link(0, 1, 1, 0.5).link(1, 0, 1, 0.5);
        int first = graph.task("first", 2, INFINITE);
        return graph.edge(first, graph.task("last", lastCosts), 8).build();
    }

    @Test
    void theBoundCountsCopies() {
        assertEquals(2 + 5 + 3, chain(INFINITE, 3).bound());
        assertEquals(2 + 7, chain(7, 3).bound());
    }

    @Test
    void plansAndTheirGraphHaveOneBound() {
        WorkGraph graph = HeftExampleTest.graph();
        assertEquals(54, graph.bound());
        assertEquals(
                graph.bound(),
                GraphPlacement.heft().plan(graph, GraphPlacement.Limits.DEFAULT).bound());
    }

    @Test
    void equalPlacesHaveTheBoundOfOneOfThem() {
        for (int places = 1; places <= 4; places++) {
            WorkGraph graph = Stg.read("2\n0 0 0\n1 3 1 0\n2 4 2 0 1\n3 0 2 1 2\n#", places);
            assertEquals(7, graph.bound());
        }
    }

    @Test
    void scaledGraphsHaveOtherTimesAndABoundOfThem() {
        WorkGraph graph = chain(7, 3);
        assertEquals(9, graph.bound());
        WorkGraph scaled = graph.scaled(1.5, 2);
        assertEquals(3, scaled.cost(0, 0));
        assertFalse(scaled.canRun(0, 1));
        assertEquals(6, scaled.cost(1, 1));
        assertEquals(graph.copy(0, 0, 1), scaled.copy(0, 0, 1));
        assertEquals(3 + 5 + 6, scaled.bound());
        assertEquals(9, graph.bound());
        assertFalse(graph.scaled(0, 0).canRun(0, 1));
        assertMentions(assertThrows(IllegalArgumentException.class, () -> graph.scaled(1)), "1 factors for 2 tasks");
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> graph.scaled(1, Double.NaN)),
                "the factor of task \"last\" is NaN: a number of 0 or more");
    }
}
