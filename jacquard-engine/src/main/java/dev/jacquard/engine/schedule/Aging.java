package dev.jacquard.engine.schedule;

import dev.jacquard.base.concurrent.WorkDeque;

/**
 * Decides whether a worker without an order of a policy must run an oldest node before newer ones. The workers of an
 * engine and those of a simulation have one each.
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
public final class Aging {
    /** The time during which newer nodes may run before the oldest. A graph of 65,536 empty tasks takes less. */
    private static final long LONGEST_NANOS = 1_000_000;
    /** The time during which a chain of {@link #MANY} nodes, or more, may run before the oldest. */
    private static final long CHAIN_NANOS = 100_000;

    /** The number of nodes that is worth the look at data that is in no cache any more. */
    private static final int MANY = 64;
    /** The most nodes between two looks, so that endless work starves nothing. */
    private static final int LOOK_PERIOD = 64;
    /** The time between two looks after which each node is followed by a look: such nodes cost more than a look. */
    private static final long LOOK_NANOS = 100_000;

    private long place = -1; // no index
    private long since;
    /** The position of the deque when the chain began: it stays while the worker neither pushes nor pops. */
    private long position = -1; // none: the first look begins the first chain

    private long chainSince;
    private int chainBegan;

    /** Makes the memory of a worker that has looked at nothing. */
    public Aging() {}

    /** The owner of the oldest node that has its turn. */
    public enum Turn {
        /** None: the worker goes on as usual. */
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
    public Turn look(WorkDeque<?> deque, long now, int nodes) {
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

    /**
     * Returns the mask of the numbers of nodes at which the worker looks, after a look: sooner where nodes are long.
     *
     * @param mask the present one, of the form 2^n - 1
     * @param nanos the time since the look before
     */
    public static int nextMask(int mask, long nanos) {
        return nanos >= LOOK_NANOS ? 0 : Math.min(LOOK_PERIOD - 1, 2 * mask + 1);
    }
}
