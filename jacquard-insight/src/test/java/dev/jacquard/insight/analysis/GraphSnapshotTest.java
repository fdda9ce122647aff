package dev.jacquard.insight.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.insight.analysis.GraphSnapshot.Kind;
import dev.jacquard.insight.analysis.GraphSnapshot.Task;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class GraphSnapshotTest {
    @Test
    void theSchedulingGraphHasAllEdgesOfTheDependencyGraphAndThoseOfThePolicy() {
        for (int seed = 0; seed < 200; seed++) {
            GraphSnapshot graph = Graphs.random(seed, 8, true);
            GraphSnapshot demanded = graph.dependencyGraph();
            String why = "seed " + seed;
            assertTrue(graph.schedulingGraph().edges().containsAll(demanded.edges()), why);
            assertTrue(demanded.edges().stream().noneMatch(edge -> edge.kind() == Kind.POLICY), why);
            long policy = graph.edges().stream()
                    .filter(edge -> edge.kind() == Kind.POLICY)
                    .count();
            assertEquals(graph.edges().size(), demanded.edges().size() + policy, why);
            assertEquals(graph.tasks(), demanded.tasks(), why);
            assertSame(demanded, demanded.dependencyGraph(), why);
        }
    }

    @Test
    void findsTasksByIdWithAndWithoutGaps() {
        for (int seed = 0; seed < 200; seed++) {
            GraphSnapshot graph = Graphs.random(seed, 12, true);
            for (Task task : graph.tasks()) {
                assertSame(task, graph.task(task.id()), "seed " + seed);
            }
            if (!graph.tasks().isEmpty()) {
                assertThrows(
                        IllegalArgumentException.class,
                        () -> graph.task(graph.tasks().getLast().id() + 1));
            }
        }
    }

    @Test
    void keepsWhatATaskIsGiven() {
        Task task = Task.of(7, "factor")
                .withState("RUNNING")
                .withWeight(12)
                .withParent(3)
                .withPriority(5)
                .withFlags(List.of("main"))
                .withWorker(2)
                .withAccesses("UPDATE a");
        assertEquals(new Task(7, "factor", "RUNNING", 12, 3, 5, List.of("main"), 2, "UPDATE a"), task);
    }

    @Test
    void refusesWhatIsNoGraphAndSaysWhy() {
        refused("negative id -1", () -> Task.of(-1, "a"));
        refused("negative weight -2", () -> Task.of(1, "a").withWeight(-2));
        refused("names task 4 as its parent", () -> Task.of(4, "a").withParent(4));
        GraphSnapshot.Builder builder =
                GraphSnapshot.builder("g").task(3, "a").task(Task.of(4, "b").withParent(3));
        refused("task 4 \"c\" was added after task 4", () -> builder.task(4, "c"));
        refused("EXPLICIT edge from task 4 to task 4 does not run forward", () -> builder.edge(4, 4, Kind.EXPLICIT));
        refused(
                "task 9 as its parent, which is not in graph \"g\"",
                () -> GraphSnapshot.builder("g")
                        .task(Task.of(10, "a").withParent(9))
                        .build());
        refused(
                "names a task that is not in graph \"g\"",
                () -> GraphSnapshot.builder("g")
                        .task(1, "a")
                        .edge(1, 2, Kind.TAG)
                        .build());
        refused(
                "from task 3 to task 4 would never let go",
                () -> builder.edge(3, 4, Kind.EXPLICIT).build());
    }

    private static void refused(String part, Executable call) {
        String message = String.valueOf(
                assertThrows(IllegalArgumentException.class, call).getMessage());
        assertTrue(message.contains(part), message);
    }
}
