package dev.jacquard.flow.runtime;

import org.jspecify.annotations.Nullable;

/**
 * Items that wait for a stage.
 *
 * <p>Threads: none of its own; every call is made under the lock of the stage that owns it.
 */
sealed interface ItemQueue permits Ring, PriorityItems {
    /** Adds {@code count} of {@code items}, the first at {@code from}; the array stays the caller's. */
    void add(@Nullable Object[] items, int from, int count);

    /** Moves up to {@code most} items, the next first, and answers how many. */
    int drainTo(@Nullable Object[] into, int most);

    int size();

    /** Returns the number of items that were thrown out since the last call, because their order threw. */
    default int takeFailed() {
        return 0;
    }

    /** Drops all items. */
    void clear();
}
