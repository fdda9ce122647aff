package dev.jacquard.engine;

import dev.jacquard.base.concurrent.WorkDeque;

/**
 * Decides whether a worker must run an oldest node before newer ones.
 *
 * <p>Newest-first order keeps few nodes ready, and their data in the caches, so an oldest node that waits for a large
 * subtree to end is left alone: taken out of turn every 64 nodes, as it was once, a tree of 65,536 empty tasks took
 * twice as long. But when newer nodes never end the oldest has its turn after a while. It has its turn sooner where the
 * worker follows a chain of short nodes, each of which makes one ready that goes through no queue: so of several chains
 * none is left to the end, when only one worker can run it. That may be the oldest of another worker, which has chains
 * in its deque while this one follows its only one.
 *
 * <p>Confined to the worker's steps.
 */
final class Aging {
    /** The time during which newer nodes may run before the oldest. A graph of 65,536 empty tasks takes less. */
    private static final long LONGEST_NANOS = 1_000_000;
    /** The time during which a chain of {@link #MANY} nodes, or more, may run before the oldest. */
    private static final long CHAIN_NANOS = 100_000;

    /** The number of nodes that is worth the look at data that is in no cache any more. */
    private static final int MANY = 64;

    private long place = -1; // no index
    private long since;
    /** The position of the deque when the chain began: it stays while the worker neither pushes nor pops. */
    private long position = -1; // none: the first look begins the first chain

    private long chainSince;
    private int chainBegan;

    /** The owner of the oldest node that has its turn. */
    enum Turn {
        NONE,
        /** That of the deque: it has been the oldest for long. */
        OWN,
        /** That of any worker: a chain has run for long. */
        ANY
    }

    /**
     * Returns the present turn, as far as earlier calls have seen.
     *
     * @param now nanoseconds
     * @param nodes the number of nodes that the worker has run
     */
    Turn look(WorkDeque<?> deque, long now, int nodes) {
        boolean empty = deque.isEmpty();
        long oldest = empty ? -1 : deque.oldest();
        if (oldest != place) {
            place = oldest;
            since = now;
            position = -1;
        }
        long newest = deque.position();
        if (newest != position) {
            position = newest;
            chainSince = now;
            chainBegan = nodes;
        }
        if (!empty && now - since >= LONGEST_NANOS) {
            return Turn.OWN;
        }
        return now - chainSince >= CHAIN_NANOS && nodes - chainBegan >= MANY ? Turn.ANY : Turn.NONE;
    }
}
