package dev.jacquard.flow.runtime;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Leases in the order in which they came. A lease is in one list at most, and has the links to its neighbours itself:
 * so adding and removing allocate nothing.
 *
 * <p>Threads: guarded by the {@link BufferGrants}.
 */
final class LeaseList {
    private @Nullable Lease first;
    private @Nullable Lease last;

    /** Adds a lease that is in no list. */
    void add(Lease lease) {
        assert lease.list == null : "a lease is in two lists";
        Lease before = last;
        lease.list = this;
        lease.before = before;
        if (before == null) {
            first = lease;
        } else {
            before.after = lease;
        }
        last = lease;
    }

    /** Removes a lease; returns false if it is not in this list. */
    boolean remove(Lease lease) {
        if (lease.list != this) {
            return false;
        }
        Lease before = lease.before;
        Lease after = lease.after;
        if (before == null) {
            first = after;
        } else {
            before.after = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.before = before;
        }
        lease.list = null;
        lease.before = null;
        lease.after = null;
        return true;
    }

    boolean contains(Lease lease) {
        return lease.list == this;
    }

    /** Returns the eldest lease; null if there is none. */
    @Nullable
    Lease first() {
        return first;
    }

    /** Returns true if {@code thread} recycles the buffers of all leases here. */
    boolean allBy(Thread thread) {
        for (Lease lease = first; lease != null; lease = lease.after) {
            if (lease.recycler != thread) {
                return false;
            }
        }
        return true;
    }

    /** Calls {@code action} with each lease, the eldest first. The action may not change the list. */
    void forEach(Consumer<Lease> action) {
        for (Lease lease = first; lease != null; lease = lease.after) {
            action.accept(lease);
        }
    }
}
