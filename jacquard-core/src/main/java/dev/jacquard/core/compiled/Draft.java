package dev.jacquard.core.compiled;

import dev.jacquard.core.kernel.Body;
import dev.jacquard.memory.access.AccessList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task of a graph that is not built yet.
 *
 * @param name for messages, traces and drawings
 * @param accesses the accesses that the task declares
 * @param guards the branches that the task is in; the builder adds to them
 * @param decision the decision that the task makes; null for none
 * @param inner the run of the inner graph that the task stands for; null for none
 * @param staged brings the task's data; null when the task has none
 */
record Draft(
        String name,
        Body body,
        AccessList accesses,
        List<Guard> guards,
        @Nullable Decision decision,
        @Nullable InnerRun inner,
        @Nullable StagedStep staged) {
    TaskTraits traits(int index, int spanName, boolean claimedByRun, Standing standing) {
        return new TaskTraits(
                name,
                index,
                spanName,
                accesses,
                guards.toArray(Guard[]::new),
                decision,
                inner,
                staged,
                claimedByRun,
                standing);
    }
}
