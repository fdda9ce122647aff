package dev.jacquard.core.engine;

/**
 * Keeps a thief from taking nodes that cost more to take than to run.
 *
 * <p>A stolen node moves half a dozen cache lines from one core to another, some for its owner to fetch back later: about a
 * microsecond. A thief that was out of work again sooner than that, with all that came of its loot, looks away for a few steps, twice as
 * many each time. It comes back to stay when some loot was worth it, or when the owner has not touched its queue meanwhile:
 * then the owner is busy with something long, and short nodes must not wait for it.
 *
 * <p>Confined to the worker's steps.
 */
final class Thrift {
    /** What taking a node costs, in nanoseconds. */
    private static final long WORTH_NANOS = 400;
    /** Steps between two steals, when all loot is worthless; a step without work takes some 50 ns. */
    private static final int MOST_STEPS = 64;

    private int stepsNext;
    private int stepsLeft;
    private long seen;

    /** Whether to leave others' queues alone in this step. */
    boolean abstains() {
        if (stepsLeft == 0) {
            return false;
        }
        stepsLeft--;
        return true;
    }

    /** Whether the thief looked away until now, and is to say where the owner is. */
    boolean isOver() {
        return stepsNext > 0;
    }

    /** The owner's queue stands at {@code position} after a time of abstinence. */
    void ownerIsAt(long position) {
        if (position == seen) {
            stepsNext = 0;
        }
    }

    /** The owner's queue stood at {@code position} when a node was taken. */
    void tookFrom(long position) {
        seen = position;
    }

    /** The thief ran what it stole, and what came of that, for so long; then it was out of work. */
    void livedOnLoot(long nanos) {
        stepsNext = nanos >= WORTH_NANOS ? 0 : Math.min(MOST_STEPS, 2 * stepsNext + 1);
        stepsLeft = stepsNext;
    }
}
