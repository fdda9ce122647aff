package dev.jacquard.core.compiled;

import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.memory.access.AccessList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task of a graph that is not built.
 *
 * @param name for messages, traces and drawings
 * @param accesses what it declares
 * @param guards the branches that it is in; the builder adds some
 * @param decision what it decides; null for nothing
 * @param inner the run of the graph that it is; null for none
 * @param staged brings its data; null when it has none
 */
record Draft(
        String name,
        TaskBody body,
        AccessList accesses,
        List<Guard> guards,
        @Nullable Decision decision,
        @Nullable InnerRun inner,
        @Nullable StagedStep staged) {
    TaskTraits traits(int index, int spanName) {
        return new TaskTraits(name, index, spanName, accesses, guards.toArray(Guard[]::new), decision, inner, staged);
    }
}
