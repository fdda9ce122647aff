package dev.jacquard.core.schedule;

import dev.jacquard.core.graph.Edges;
import dev.jacquard.core.graph.ReadyTask;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A way to schedule: an order, a placement or both, and what they need. Found by name when it is a provider of this service.
 *
 * <p>A policy may be used by several sessions; what belongs to one of them is in the objects that it makes.
 *
 * <p>Threads: {@link #order}, {@link #placement} and {@link #needs} are called while a session opens. {@link #submitted} is called by
 * submitting threads.
 *
 * <p>Source: the abstract runtime system document, sections II-C5 and II-C7; the resource-register document, section 4 (edges
 * that a policy adds).
 */
public interface Policy {
    /** What users call it: lower-case words with hyphens. */
    String name();

    /** What it asks of the engine. Constant. */
    default Set<Need> needs() {
        return Set.of();
    }

    /**
     * Makes an empty order: one for all workers, or one for each when there is a {@link #placement}. Null for the workers' own
     * deques, from which others steal.
     */
    @Nullable
    ReadyOrder order();

    /** Says where tasks go; null when all workers share one order. */
    default @Nullable Placement placement() {
        return null;
    }

    /**
     * A task was submitted and has its edges; the policy may add others, from tasks that it was told of before. Called before the task can
     * become ready, if the policy needs {@link Need#SUBMISSIONS}. What it keeps of {@code task} it should let go when that is over.
     */
    default void submitted(ReadyTask task, Edges edges) {}
}
