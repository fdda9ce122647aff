package dev.jacquard.core.compiled;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A graph that refuses concurrent runs, found inside of a graph that is a task.
 *
 * @param graph the graph that refuses
 * @param queues the graphs around it that queue their runs, the graph that is the task included: two runs inside of one
 *     of them never meet
 */
record Refusal(CompiledGraph graph, Set<CompiledGraph> queues) {
    Refusal {
        queues = Set.copyOf(queues);
    }

    /**
     * Returns the refusals of a graph as a task.
     *
     * @param refuses true if the graph itself refuses
     * @param inners the graphs that are its tasks
     */
    static Set<Refusal> of(CompiledGraph graph, boolean refuses, InnerRun[] inners) {
        Set<Refusal> all = new LinkedHashSet<>();
        if (refuses) {
            all.add(new Refusal(graph, Set.of()));
        }
        for (InnerRun inner : inners) {
            for (Refusal one : inner.graph().refusals()) {
                all.add(refuses ? one : one.within(graph));
            }
        }
        return all;
    }

    /** Returns the same refusal inside of {@code queue}. */
    Refusal within(CompiledGraph queue) {
        Set<CompiledGraph> all = new LinkedHashSet<>(queues);
        all.add(queue);
        return new Refusal(graph, all);
    }

    /** Returns true if only the order of the tasks keeps the two runs apart. */
    boolean mayMeet(Refusal other) {
        return graph == other.graph && Collections.disjoint(queues, other.queues);
    }
}
