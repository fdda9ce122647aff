package dev.jacquard.core.compiled;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A graph that refuses a run beside another, as it is met inside of a graph that is a task.
 *
 * @param graph the one that refuses
 * @param queues those around it whose runs take turns, that which is the task included: two runs inside of one of them
 *     never meet
 */
record Refusal(CompiledGraph graph, Set<CompiledGraph> queues) {
    Refusal {
        queues = Set.copyOf(queues);
    }

    /** The same within {@code queue}. */
    Refusal within(CompiledGraph queue) {
        Set<CompiledGraph> all = new LinkedHashSet<>(queues);
        all.add(queue);
        return new Refusal(graph, all);
    }

    /** Returns true when nothing keeps the two runs apart but what orders the tasks. */
    boolean mayMeet(Refusal other) {
        return graph == other.graph && Collections.disjoint(queues, other.queues);
    }
}
