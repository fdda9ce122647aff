package dev.jacquard.flow.runtime;

/**
 * How many items a copy takes at a time, and how soon it passes on what it made of them.
 *
 * <p>One item as long as items are expensive; twice as many, up to 256, while a batch stays below 20 µs. Then locks,
 * time stamps and wake-ups are paid per batch, and still no item waits long for its consumer or keeps another copy from
 * it. A copy with a thread of its own passes each item on at once, since it may block in the next, and takes more than
 * one only where no other copy could take them.
 *
 * <p>Threads: confined to the copy's activation.
 */
final class BatchSizer {
    private static final int LARGEST = 256;
    private static final long SHORT_NANOS = 20_000;

    private final int largest;
    private final boolean ownThread;
    /** There is but one worker, so that nothing is gained by waking somebody before the end of the activation. */
    private final boolean alone;

    private int limit = 1;

    BatchSizer(boolean oneByOne, boolean ownThread, boolean alone) {
        this.largest = oneByOne ? 1 : LARGEST;
        this.ownThread = ownThread;
        this.alone = alone;
    }

    int largest() {
        return largest;
    }

    /** How many items to take now. */
    int limit() {
        return limit;
    }

    /** A batch of {@code count} items took that long. */
    void after(int count, long nanos) {
        if (nanos > SHORT_NANOS) {
            limit = Math.max(1, limit / 2);
        } else if (count == limit) {
            limit = Math.min(largest, limit * 2);
        }
    }

    /** How many emitted items are passed on together. */
    int patience() {
        return ownThread || (limit == 1 && !alone) ? 1 : Outlet.CAPACITY;
    }

    /** Returns true when something is held back until the end of the activation. */
    boolean holdsBack() {
        return !wakesEagerly();
    }

    /**
     * Whether consumers are woken before the end of the activation: somebody else could run them, and items are
     * expensive.
     */
    boolean wakesEagerly() {
        return ownThread || (limit == 1 && !alone);
    }

    /** Whether to look on for more items before going to sleep. */
    boolean lingers() {
        return limit > 1 && (ownThread || !alone);
    }
}
