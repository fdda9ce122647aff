package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the data that a task updates, or reads and overwrites, when the task may be tried again: the old contents stay
 * in another replica until the task is over.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 */
final class RetrySnapshot {
    private final Store store;

    RetrySnapshot(Store store) {
        this.store = store;
    }

    /**
     * Lets another replica have what {@code lease} is to read and to write over, for which the lease waits if need be.
     * All that the lease accesses is there.
     */
    void keep(ReplicaClaim lease, Fetcher supply, DeferredActions after) {
        for (int i = 0; i < lease.needs.size(); i++) {
            Need need = lease.needs.get(i);
            if (need.reads() && need.writes()) {
                keep(need.box(), lease, i, supply, after);
            } else if (need.writes() && lease.first.overlap) {
                keepRead(need, lease, i, supply, after);
            }
        }
    }

    /** Keeps what the task reads by other accesses of what it writes over by {@code written}, which does not read. */
    private void keepRead(Need written, ReplicaClaim lease, int index, Fetcher supply, DeferredActions after) {
        for (Need read : lease.needs) {
            if (read.reads() && read.data() == written.data() && read.box().intersects(written.box())) {
                keep(read.box().intersection(written.box()), lease, index, supply, after);
            }
        }
    }

    private void keep(Box box, ReplicaClaim lease, int index, Fetcher supply, DeferredActions after) {
        Replica mine = lease.memoryOf(index);
        for (Atom atom : mine.directory.cut(box)) {
            Replica other = other(atom, mine);
            if (other == null) {
                bring(lease, atom, mine, supply, after);
            } else {
                pin(lease, other);
            }
        }
    }

    private static @Nullable Replica other(Atom atom, Replica mine) {
        for (Replica replica : atom.valid) {
            if (replica != mine && !replica.leaving && replica.isStable(atom.box)) {
                return replica;
            }
        }
        return null;
    }

    private void bring(ReplicaClaim lease, Atom atom, Replica mine, Fetcher supply, DeferredActions after) {
        Need need = new Need(mine.directory.data, atom.box, true, false);
        Replica free = free(atom, mine);
        if (free == null && !store.eviction.makeRoom(store.host, need.bytes(), after)) {
            supply.starve(lease);
            return;
        }
        Replica to = free == null ? store.allocate(store.host, need) : free;
        pin(lease, to); // at once: else others make room where it is, and this makes room where theirs is, for ever
        supply.awaitCopy(lease, store.start(atom, mine, to, after));
    }

    private static void pin(ReplicaClaim lease, Replica other) {
        if (!lease.kept.contains(other)) {
            lease.kept.add(other);
            other.pin();
        }
    }

    /** Returns a replica on the host that is not in use and just for the atom; null when there is none. */
    private @Nullable Replica free(Atom atom, Replica mine) {
        for (Replica replica : mine.directory.all()) {
            boolean free = replica.pins == 0 && replica.frozen == 0 && !replica.leaving;
            if (free && replica != mine && replica.space == store.host && replica.box.equals(atom.box)) {
                return replica;
            }
        }
        return null;
    }

    /** Unpins what was kept for a lease that is over. */
    void giveBack(ReplicaClaim lease) {
        for (Replica replica : lease.kept) {
            replica.unpin();
        }
        lease.kept.clear();
    }
}
