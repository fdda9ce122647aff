package dev.jacquard.flow.runtime;

import dev.jacquard.flow.memory.MemoryEdge;
import java.util.List;
import java.util.Map;

/**
 * A checked graph, ready to run: nested graphs are unfolded, and consumers are numbers.
 *
 * @param graph the graph's name
 * @param stages the tasks
 * @param inputs stages that the graph's input feeds, or {@link #OUTPUT}
 * @param pools the memory edges, under names that are unique in the run
 * @param edges the index of the pool of each memory edge of the outermost graph
 * @param cycles stages that feed each other in a circle, one list per circle
 * @param inputBound the number of items that may wait at each stage that the input feeds; 0 for no bound
 */
public record RunPlan(
        String graph,
        List<StagePlan> stages,
        int[] inputs,
        List<PoolPlan> pools,
        Map<MemoryEdge<?>, Integer> edges,
        List<List<Integer>> cycles,
        int inputBound) {
    /** The number of the graph's output among consumers. */
    public static final int OUTPUT = -1;

    /**
     * A memory edge.
     *
     * @param name unique in the run
     * @param edge the edge's description
     */
    public record PoolPlan(String name, MemoryEdge<?> edge) {}
}
