package dev.jacquard.flow.runtime;

import org.jspecify.annotations.Nullable;

/**
 * The copies of a stage that sleep, linked through {@link Wakeable#next}; the copy that fell asleep last is the first.
 *
 * <p>Threads: guarded by the stage.
 */
final class Sleepers {
    /** True if a copy with less to do is woken first, since the copies are bound to different devices. */
    private final boolean balances;

    private @Nullable Wakeable first;

    Sleepers(boolean balances) {
        this.balances = balances;
    }

    boolean isEmpty() {
        return first == null;
    }

    void add(Wakeable copy) {
        copy.next = first;
        first = copy;
    }

    /** Removes {@code copy}; returns false if it is not here. */
    boolean remove(Wakeable copy) {
        Wakeable before = null;
        Wakeable at = first;
        while (at != copy && at != null) {
            before = at;
            at = at.next;
        }
        if (at == null) {
            return false;
        }
        if (before == null) {
            first = at.next;
        } else {
            before.next = at.next;
        }
        at.next = null;
        return true;
    }

    /** Removes the copy that is to be woken next; null if none sleeps. */
    @Nullable
    Wakeable takeOne() {
        Wakeable list = first;
        if (list == null) {
            return null;
        }
        Wakeable copy = balances ? Wakeable.leastLoaded(list) : list;
        remove(copy);
        return copy;
    }
}
