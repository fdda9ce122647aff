package dev.jacquard.flow.runtime;

import dev.jacquard.engine.Workers;
import dev.jacquard.flow.memory.MemoryEdge;
import org.jspecify.annotations.Nullable;

/**
 * The services of a run that its copies share.
 *
 * <p>Threads: any.
 */
record RunContext(
        RunPlan plan,
        Workers workers,
        RunSignal signal,
        RunLife life,
        Submissions submissions,
        BufferGrants ledger,
        Loans loans) {
    /** Returns the pool of {@code edge}, which has {@code number} in this run. */
    Pool pool(@Nullable Integer number, MemoryEdge<?> edge) {
        if (number == null) {
            throw new IllegalArgumentException("memory edge \"" + edge.name() + "\" is not part of flow \""
                    + plan.graph() + "\": take from an edge that the same graph made");
        }
        return ledger.pools().get(number);
    }
}
