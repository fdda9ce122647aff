package dev.jacquard.core.graph;

import dev.jacquard.core.trace.TraceLane;

/**
 * The worker as seen by the node that it runs. Valid during {@link Node#run} and for that thread only.
 */
public interface WorkerContext {
    /** Which worker: 0 to workers - 1. */
    int index();

    /** Where this worker's spans go. */
    TraceLane lane();

    /** Makes {@code node} ready now: this worker or one that steals will run it. Never blocks. */
    void ready(Node node);

    /**
     * Makes {@code node} ready as the last thing that the running node does. Of several such nodes the last runs next on
     * this worker and goes through no queue; the others are announced together.
     */
    default void readyAtEnd(Node node) {
        ready(node);
    }

    /** Whether nodes that others could take wait with this worker. A node that could share its work asks. */
    default boolean hasQueued() {
        return true;
    }
}
