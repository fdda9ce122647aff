package dev.jacquard.core.graph;

import dev.jacquard.engine.work.WorkerContext;
import org.jspecify.annotations.Nullable;

/**
 * One edge, in the list of its earlier task.
 *
 * <p>Written by the submitter before it is published by the CAS on the list's head, and constant from then on, but for
 * what says so.
 */
class Link {
    /** The head of the list of a task that is over. */
    static final Link CLOSED = new Link(null, false, true);

    /** Who waits. Null in {@link #CLOSED} and in those that only want to be told. */
    final @Nullable TaskNode later;

    /**
     * Whether {@link #later} reads what the earlier task writes, and so cannot run when that fails. Taken away, like
     * {@link #fired}, when the earlier task gives up writing it.
     */
    boolean carriesFailure;

    /**
     * Whether this edge stands whatever the accesses of the two are: given by the user, a tag, a barrier or a policy.
     */
    final boolean explicit;

    /**
     * Whether the edge was taken away before the earlier task was over. Written by the thread that runs the earlier
     * task's body, under the scope's lock; read by whoever ends that task, which is behind the body.
     */
    boolean fired;

    /**
     * Whether {@link #later} is tracked in place of the earlier task, so that the edge stays. Under the scope's lock.
     */
    boolean stands;

    @Nullable
    Link next;

    Link(@Nullable TaskNode later, boolean carriesFailure, boolean explicit) {
        this.later = later;
        this.carriesFailure = carriesFailure;
        this.explicit = explicit;
    }

    /** For links that want to be told: it is known how the task ends, though it is not over. Any thread. */
    void decided() {}

    /** For links that want to be told: the task is over, how is known. By the worker that ended it. */
    void over(WorkerContext worker) {}
}
