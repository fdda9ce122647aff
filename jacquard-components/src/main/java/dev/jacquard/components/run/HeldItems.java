package dev.jacquard.components.run;

import java.util.ArrayList;
import java.util.List;

/**
 * The items that wait until the state of a parallel run is saved: items of the program's block that have not begun, and
 * loops of it between two passes. Nothing is held before the state is due to be saved.
 *
 * <p>Threads: any; guarded by itself.
 */
final class HeldItems {
    private final List<Integer> items = new ArrayList<>();
    /** True from when the state is due to be saved until it is. Written under the monitor. */
    private volatile boolean holds;

    /** Returns true if the state is due to be saved. */
    boolean holds() {
        return holds;
    }

    /**
     * Holds an item if the state is due to be saved.
     *
     * @param isDue true if it is from now on
     * @return true if the item is held
     */
    synchronized boolean holds(int item, boolean isDue) {
        if (isDue) {
            holds = true;
        }
        return holds && items.add(item);
    }

    /** The state is saved: returns the items that were held, in the order in which they came. */
    synchronized List<Integer> release() {
        holds = false;
        List<Integer> all = List.copyOf(items);
        items.clear();
        return all;
    }
}
