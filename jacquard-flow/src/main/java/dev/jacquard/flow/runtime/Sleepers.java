package dev.jacquard.flow.runtime;

import org.jspecify.annotations.Nullable;

/**
 * The copies of a stage that sleep, linked through {@link Wakeable#next}; the copy that fell asleep last is the first.
 * While one sleeps, the stage's inboxes let senders notify the stage of items.
 *
 * <p>Threads: guarded by the stage.
 */
final class Sleepers {
    /** True if a copy with less to do is woken first, since the copies are bound to different devices. */
    private final boolean balances;
    /** The waiting items, which decide which copy is woken; null if any copy may take any. */
    private final @Nullable RoutedItems routed;

    private final Inboxes inboxes;
    private @Nullable Wakeable first;
    /** True once senders must notify the stage of items in any case, since these are to be counted as cancelled. */
    private boolean stopped;

    Sleepers(boolean balances, @Nullable RoutedItems routed, Inboxes inboxes) {
        this.balances = balances;
        this.routed = routed;
        this.inboxes = inboxes;
    }

    /** Lets senders notify the stage of all items from now on. */
    void stop() {
        stopped = true;
        setBell();
    }

    private void setBell() {
        inboxes.bell(first != null || stopped);
    }

    void add(Wakeable copy) {
        copy.next = first;
        first = copy;
        setBell();
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
        setBell();
        return true;
    }

    /** Moves the copy that is to be woken next, if there is one, to the front of {@code woken}; returns that list. */
    @Nullable
    Wakeable wakeOne(@Nullable Wakeable woken) {
        Wakeable list = first;
        if (list == null) {
            return woken;
        }
        if (routed != null) {
            Wakeable its = RoutedCopy.choose(list, routed);
            return its == null ? woken : move(its, woken);
        }
        return move(balances ? Wakeable.leastLoaded(list) : list, woken);
    }

    /** Moves all copies to the front of {@code woken}; returns that list. */
    @Nullable
    Wakeable wakeAll(@Nullable Wakeable woken) {
        Wakeable list = woken;
        while (first != null) {
            list = move(first, list);
        }
        return list;
    }

    private Wakeable move(Wakeable copy, @Nullable Wakeable woken) {
        remove(copy);
        copy.next = woken;
        return copy;
    }
}
