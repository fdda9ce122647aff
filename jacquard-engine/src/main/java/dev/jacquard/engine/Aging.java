package dev.jacquard.engine;

import dev.jacquard.base.concurrent.WorkDeque;

/**
 * Decides whether a worker must run the oldest node of its deque before newer ones.
 *
 * <p>Newest first is what keeps few nodes ready, and their data in the caches, so an oldest node that waits for a large
 * subtree to end is left alone: taken out of turn every 64 nodes, as it was once, a tree of 65,536 empty tasks took
 * twice as long. But when newer nodes never end the oldest has its turn after a while.
 *
 * <p>Confined to the worker's steps.
 */
final class Aging {
    /** The time during which newer nodes may run before the oldest. A graph of 65,536 empty tasks takes less. */
    private static final long LONGEST_NANOS = 1_000_000;

    private long place = -1; // no index
    private long since;

    /** Returns true if the oldest node has been the oldest for long, as far as earlier calls have seen. */
    boolean isDue(WorkDeque<?> deque, long now) {
        if (deque.isEmpty()) {
            return false;
        }
        long oldest = deque.oldest();
        if (oldest != place) {
            place = oldest;
            since = now;
        }
        return now - since >= LONGEST_NANOS;
    }
}
