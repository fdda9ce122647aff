package dev.jacquard.engine.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Searched plans on equal processors. */
class StgTest {
    @Test
    void listSchedulingIsImprovedWhereProcessorsMustWait() {
        // A processor that takes a long ready task at once holds up the critical path.
        String text = """
                7
                0 0 0
                1 3 1 0
                2 2 1 0
                3 2 1 0
                4 4 1 1
                5 4 1 1
                6 9 2 2 3
                7 2 1 0
                8 0 4 4 5 6 7
                # end
                """;
        for (int processors = 1; processors <= 4; processors++) {
            WorkGraph graph = Stg.read(text, processors);
            Plan plan = GraphPlacement.search().plan(graph, GraphPlacement.Limits.DEFAULT);
            assertNull(plan.problem(graph));
            assertTrue(plan.isProved(), processors + " processors: " + plan.makespan() + " over " + plan.bound());
        }
    }

    @Test
    void searchReachesTheShortestPlansOfASample() throws IOException {
        String data = System.getenv("JACQUARD_DATA");
        Path folder = Path.of(data == null ? "" : data, "stg");
        assumeTrue(Files.exists(folder), folder + " is not there, of the folder that JACQUARD_DATA names");
        for (int processors : Stg.PROCESSORS) {
            List<Stg.Case> cases = Stg.cases(folder, processors);
            for (int i = 0; i < cases.size(); i += 12) {
                Stg.Case its = cases.get(i);
                WorkGraph graph = its.graph(folder);
                Plan plan = GraphPlacement.search().plan(graph, GraphPlacement.Limits.DEFAULT);
                assertNull(plan.problem(graph), its.toString());
                if (its.isClosed()) {
                    assertEquals(its.known(), plan.makespan(), its.toString());
                    assertTrue(plan.isProved(), its.toString());
                } else {
                    assertTrue(plan.makespan() <= its.known(), its.toString());
                }
            }
        }
    }
}
