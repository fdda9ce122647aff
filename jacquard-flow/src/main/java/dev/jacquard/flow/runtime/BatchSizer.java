package dev.jacquard.flow.runtime;

/**
 * Decides how many items a copy takes at a time, how soon the copy passes on the items that it emits, and if their
 * consumers run before the copy's next item.
 *
 * <p>A batch is one item while items are expensive. Its size doubles, up to 256 items, while a batch takes less than 20
 * µs: then locks, time stamps and wake-ups are paid per batch, and still no item waits long for its consumer or for
 * another copy. A copy with its own thread passes each item on at once, since it may block in the next, and takes
 * several items only if no other copy could take them.
 *
 * <p>Threads: confined to the copy's activation.
 */
final class BatchSizer {
    private static final int LARGEST = 256;
    private static final long SHORT_NANOS = 20_000;

    private final int largest;
    private final boolean ownThread;
    /** True if there is only one worker, so that a wake-up before the end of the activation gains nothing. */
    private final boolean alone;

    private int limit = 1;
    /** True if the last batch was one item that took long. */
    private boolean tookLong;
    /** True if the last batch was several items. */
    private boolean tookSeveral;

    BatchSizer(boolean oneByOne, boolean ownThread, boolean alone) {
        this.largest = oneByOne ? 1 : LARGEST;
        this.ownThread = ownThread;
        this.alone = alone;
    }

    int largest() {
        return largest;
    }

    /** Returns the number of items to take now. */
    int limit() {
        return limit;
    }

    /** Adapts the limit to a batch of {@code count} items that took {@code nanos}. */
    void after(int count, long nanos) {
        tookSeveral = count > 1;
        tookLong = limit == 1 && nanos > SHORT_NANOS;
        if (nanos > SHORT_NANOS) {
            limit = Math.max(1, limit / 2);
        } else if (count == limit) {
            limit = Math.min(largest, limit * 2);
        }
    }

    /** Returns the number of emitted items that are passed on together. */
    int patience() {
        return wakesEagerly() ? 1 : Outlet.CAPACITY;
    }

    /**
     * Returns true if consumers are woken before the end of the activation: another worker could run them, and items
     * are expensive. Otherwise emitted items are held back until then.
     */
    boolean wakesEagerly() {
        return ownThread || (limit == 1 && !alone);
    }

    /**
     * Returns true if the consumers that the copy woke run before its next item on this worker: while items are
     * expensive, their data is large, and still in the caches. Where items are cheap a copy goes on, so that its
     * consumers find many.
     */
    boolean yields() {
        return tookLong;
    }

    /** Returns true if the copy looks for more items for a moment before it goes to sleep. */
    boolean lingers() {
        return limit > 1 && (ownThread || !alone);
    }

    /** Returns true if more items are likely to come soon. */
    boolean isBusy() {
        return tookSeveral;
    }
}
