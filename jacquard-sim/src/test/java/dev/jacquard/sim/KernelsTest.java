package dev.jacquard.sim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.engine.schedule.Policies;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tasks of the host and of a device, computed by hand. */
class KernelsTest {
    private static final double NEVER = Double.POSITIVE_INFINITY;

    /** Two workers of the host and a device; a unit of data takes a unit of time. */
    private static WorkGraph.Builder graph() {
        return new WorkGraph.Builder(List.of("w0", "w1", "gpu"))
                .link(0, 2, 0, 1)
                .link(1, 2, 0, 1)
                .link(2, 0, 0, 1)
                .link(2, 1, 0, 1);
    }

    private static SimulatedRun run(WorkGraph.Builder graph, String policy) {
        return Simulation.run(graph.build(), Simulation.Options.of(Policies.named(policy), 2));
    }

    @Test
    void dataLeavesForADeviceBeforeTheTaskIsReady() {
        WorkGraph.Builder graph = graph();
        int made = graph.task("made", 2, 2, NEVER);
        int slow = graph.task("slow", 10, 10, NEVER);
        int kernel = graph.task("kernel", NEVER, NEVER, 3);
        graph.edge(made, kernel, 4).edge(slow, kernel, 0);
        assertEquals(10, run(graph, "fifo").schedule().starts()[kernel]);
    }

    @Test
    void aWorkerGoesOnWhileDataComesFromADevice() {
        WorkGraph.Builder graph = graph();
        int kernel = graph.task("kernel", NEVER, NEVER, 2);
        int lasting = graph.task("long", 20, 20, NEVER);
        int other = graph.task("other", 5, 5, NEVER);
        int reader = graph.task("reader", 3, 3, NEVER);
        graph.edge(kernel, other, 0).edge(kernel, reader, 10);
        SimulatedRun run = run(graph, "fifo");
        assertEquals(0, run.schedule().starts()[lasting]);
        assertEquals(2, run.schedule().starts()[other]); // the reader, which was submitted last, is taken first
        assertEquals(12, run.schedule().starts()[reader]);
    }

    @Test
    void aDeviceRunsTheTaskFirstOfWhichTheDataIsThereFirst() {
        WorkGraph.Builder graph = graph();
        int made = graph.task("made", 1, 1, NEVER);
        int large = graph.task("large", NEVER, NEVER, 5);
        int small = graph.task("small", NEVER, NEVER, 5);
        graph.edge(made, small, 2).edge(made, large, 9);
        SimulatedRun run = run(graph, "fifo");
        assertArrayEquals(new double[] {0, 12, 3}, run.schedule().starts()); // the copies follow each other
    }

    @Test
    void theHostAndTheDeviceShareTheTasksAsTheyAreSubmitted() {
        WorkGraph.Builder graph = graph();
        int first = graph.task("first", 1, 1, NEVER);
        for (int i = 0; i < 6; i++) {
            graph.edge(first, graph.task("kernel " + i, 8, 8, 2), 0);
        }
        SimulatedRun run = run(graph, "earliest-finish");
        boolean[] onDevice = new boolean[6];
        for (int i = 0; i < 6; i++) {
            onDevice[i] = run.schedule().places()[i + 1] == 2;
        }
        // The fourth and the fifth end at 8 at either place, and the host has fewer tasks.
        assertArrayEquals(new boolean[] {true, true, true, false, false, true}, onDevice);
        assertEquals(9, run.makespan());
    }

    @Test
    void aTaskThatIsLateGoesWhereItEndsFirstByThen() {
        WorkGraph.Builder graph = graph();
        int before = graph.task("before", 100, 100, NEVER);
        graph.task("busy", NEVER, NEVER, 50);
        int kernel = graph.task("kernel", 10, 10, 2);
        graph.edge(before, kernel, 0);
        SimulatedRun run = run(graph, "earliest-finish"); // when it is submitted, the device is busy until 50
        assertEquals(2, run.schedule().places()[kernel]);
        assertEquals(100, run.schedule().starts()[kernel]);
    }
}
