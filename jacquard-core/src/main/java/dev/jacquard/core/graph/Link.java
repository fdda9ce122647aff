package dev.jacquard.core.graph;

import dev.jacquard.engine.work.WorkerContext;
import org.jspecify.annotations.Nullable;

/**
 * An edge, in the list of its earlier task.
 *
 * <p>Written by the submitter before the CAS on the list's head publishes it, and constant from then on, but for the
 * fields that say otherwise.
 */
class Link {
    /** The head of the list of a task that is over. */
    static final Link CLOSED = new Link(null, false, true);

    /** The task that waits. Null in {@link #CLOSED} and in links that are only notified. */
    final @Nullable TaskNode later;

    /**
     * True if {@link #later} reads the output of the earlier task, and so cannot run if the earlier task fails.
     * Cleared, as {@link #fired} is set, when the earlier task gives up that write access.
     */
    boolean carriesFailure;

    /**
     * True if this edge does not depend on the accesses of the two tasks: given by the user, a tag, a barrier or a
     * policy.
     */
    final boolean explicit;

    /**
     * True if the edge was taken away before the earlier task was over. Written by the thread that runs the earlier
     * task's body, under the scope's lock; read by the thread that ends that task, after the body.
     */
    boolean fired;

    /**
     * True if {@link #later} is tracked in place of the earlier task, so that the edge stays. Under the scope's lock.
     */
    boolean stands;

    @Nullable
    Link next;

    Link(@Nullable TaskNode later, boolean carriesFailure, boolean explicit) {
        this.later = later;
        this.carriesFailure = carriesFailure;
        this.explicit = explicit;
    }

    /** Returns {@code how}, the outcome of the earlier task, as it counts for {@code its}, the later one. */
    Outcome seen(Outcome how, TaskNode its) {
        return how;
    }

    /**
     * Notifies the link that the outcome of the task is known though the task is not over. Does nothing by default. Any
     * thread.
     */
    void decided() {}

    /**
     * Notifies the link that the task ends badly, before any wait for the graph ends. Does nothing by default. By the
     * worker that ends the task, when the task has its last state.
     */
    void ends(Outcome how) {}

    /**
     * Notifies the link that the task is over and its outcome is known. Does nothing by default. By the worker that
     * ended it.
     */
    void over(WorkerContext worker) {}
}
