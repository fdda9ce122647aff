package dev.jacquard.core.graph;

import org.jspecify.annotations.Nullable;

/**
 * One edge, in the list of its earlier task.
 *
 * <p>Written by the submitter before it is published by the CAS on the list's head, and constant from then on.
 */
final class Link {
    /** The head of the list of a task that is over. */
    static final Link CLOSED = new Link(null, false);

    /** Who waits. Null in {@link #CLOSED} only. */
    final @Nullable Task later;

    /** Whether {@link #later} reads what the earlier task writes, and so cannot run when that fails. */
    final boolean carriesFailure;

    @Nullable
    Link next;

    Link(@Nullable Task later, boolean carriesFailure) {
        this.later = later;
        this.carriesFailure = carriesFailure;
    }
}
