package dev.jacquard.engine.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The example of Topcuoglu, Hariri and Wu, IEEE TPDS 13 (2002), figures 2 and 3: ten tasks on three processors. */
class HeftExampleTest {
    private static final double[][] COSTS = {
        {14, 16, 9}, {13, 19, 18}, {11, 13, 19}, {13, 8, 17}, {12, 13, 10},
        {13, 16, 9}, {7, 15, 11}, {5, 11, 14}, {18, 12, 20}, {21, 7, 16}
    };
    private static final int[][] EDGES = {
        {0, 1, 18},
        {0, 2, 12},
        {0, 3, 9},
        {0, 4, 11},
        {0, 5, 14},
        {1, 7, 19},
        {1, 8, 16},
        {2, 6, 23},
        {3, 7, 27},
        {3, 8, 23},
        {4, 8, 13},
        {5, 7, 15},
        {6, 9, 17},
        {7, 9, 11},
        {8, 9, 13}
    };

    static WorkGraph graph() {
        WorkGraph.Builder builder = new WorkGraph.Builder(List.of("P1", "P2", "P3"));
        for (int from = 0; from < 3; from++) {
            for (int to = 0; to < 3; to++) {
                builder.link(from, to, 0, 1);
            }
        }
        for (int task = 0; task < COSTS.length; task++) {
            builder.task("T" + (task + 1), COSTS[task]);
        }
        for (int[] edge : EDGES) {
            builder.edge(edge[0], edge[1], edge[2]);
        }
        return builder.build();
    }

    private static Plan plan(GraphPlacement placement) {
        Plan plan = placement.plan(graph(), GraphPlacement.Limits.DEFAULT);
        assertNull(plan.problem(graph()));
        assertTrue(plan.bound() <= plan.makespan());
        return plan;
    }

    @Test
    void heftMakesTheScheduleOfThePaper() {
        Plan plan = plan(GraphPlacement.heft());
        assertEquals(80, plan.makespan());
        assertArrayEquals(new int[] {2, 0, 2, 1, 2, 1, 2, 0, 1, 1}, plan.places());
        assertArrayEquals(new double[] {0, 27, 9, 18, 28, 26, 38, 57, 56, 73}, plan.starts());
        assertArrayEquals(new double[] {9, 40, 28, 26, 38, 42, 49, 62, 68, 80}, plan.ends());
    }

    @Test
    void cpopMakesTheScheduleOfThePaper() {
        Plan plan = plan(GraphPlacement.cpop());
        assertEquals(86, plan.makespan());
        assertArrayEquals(new int[] {1, 1, 0, 2, 1, 2, 0, 2, 1, 1}, plan.places());
        assertArrayEquals(new double[] {0, 16, 28, 25, 35, 42, 39, 54, 65, 79}, plan.starts());
    }

    @Test
    void peftMakesAPlanOfThePredictedEnds() {
        assertEquals(85, plan(GraphPlacement.peft()).makespan());
    }
}
