package dev.jacquard.engine.schedule;

import dev.jacquard.engine.plan.GraphPlacement;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.engine.work.ReadyTask.Edges;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A way to schedule: an order, a placement or both, and their needs. Found by name when it is a provider of this
 * service.
 *
 * <p>A policy may be used by several sessions; the state of one session is in the objects that it makes.
 *
 * <p>Threads: {@link #order}, {@link #placement} and {@link #needs} are called while a session opens.
 * {@link #submitted} is called by submitting threads.
 *
 * <p>Source: the abstract runtime system document, sections II-C5 and II-C7; the resource-register document, section 4
 * (edges that a policy adds).
 */
public interface Policy {
    /** Returns the name for users: lower-case words with hyphens. */
    String name();

    /** Returns the services that the policy asks of the engine. Constant. */
    default Set<Need> needs() {
        return Set.of();
    }

    /**
     * Makes an empty order: one for all workers, or one for each when there is a {@link #placement}. Null for the
     * workers' own deques, from which others steal.
     */
    @Nullable
    ReadyOrder order();

    /** Says where tasks go; null when all workers share one order. */
    default @Nullable Placement placement() {
        return null;
    }

    /**
     * Returns the part of the policy that places whole graphs, where a graph is known before it runs; null when it
     * decides task by task only.
     */
    default @Nullable GraphPlacement graphPlacement() {
        return null;
    }

    /**
     * A task was submitted and has its edges; the policy may add others, from tasks with a smaller {@code id()}. Called
     * by the submitting thread before the task can become ready, under no lock of the engine's, if the policy needs
     * {@link Need#SUBMISSIONS}: a slow one holds up no other submitter. It must submit nothing. Tasks of several
     * threads are reported in any order, so that a policy may have seen a later task before. It should drop references
     * to {@code task} when the task is over.
     */
    default void submitted(ReadyTask task, Edges edges) {}

    /**
     * The place of {@code task} among the tasks that wait for the same unordered resource: the least rank holds it
     * next, of equal rank the task that waits longest. One that waits longest and was overtaken a few times is next in
     * any case. Called by any number of threads at a time, when the task is about to start.
     */
    default long rank(ReadyTask task) {
        return 0;
    }
}
