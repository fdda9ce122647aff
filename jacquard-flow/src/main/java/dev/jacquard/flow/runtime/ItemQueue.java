package dev.jacquard.flow.runtime;

/**
 * Items that wait for a stage.
 *
 * <p>Threads: none of its own; every call is made under the lock of the stage that owns it.
 */
sealed interface ItemQueue permits Ring, PriorityItems {
    void add(Object[] items, int count);

    /** Moves up to {@code most} items, the next first, and answers how many. */
    int drainTo(Object[] into, int most);

    int size();

    /** Drops all items. */
    void clear();
}
