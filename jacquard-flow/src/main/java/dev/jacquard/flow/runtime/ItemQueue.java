package dev.jacquard.flow.runtime;

import org.jspecify.annotations.Nullable;

/**
 * The items that wait for a stage.
 *
 * <p>Threads: guarded by the lock of the stage that owns the queue, or by the ledger for a queue in a {@link Line}.
 */
sealed interface ItemQueue permits Ring, PriorityItems, RoutedItems, UserItems {
    /** Adds {@code count} of {@code items}, the first at {@code from}; the array stays the caller's. */
    void add(@Nullable Object[] items, int from, int count);

    /** Adds {@code count} of {@code items}, the first at {@code from}, before all others that the order allows. */
    void putBack(@Nullable Object[] items, int from, int count);

    /** Moves up to {@code most} items to {@code into}, the next item first; returns their number. */
    int drainTo(@Nullable Object[] into, int most);

    int size();

    /** Returns the number of items that were discarded since the last call because their comparator threw. */
    default int takeFailed() {
        return 0;
    }

    /** Returns the number of items that a user's queue has dropped since the last call, and that nothing depends on. */
    default int takeDropped() {
        return 0;
    }

    /** Drops all items. */
    void clear();
}
