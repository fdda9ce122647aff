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
     * Lets another replica have what {@code claim} is to read and to write over, for which the claim waits if need be.
     * All that the claim accesses is there.
     */
    void keep(ReplicaClaim claim, Fetcher supply, DeferredActions after) {
        for (int i = 0; i < claim.needs.size(); i++) {
            DataNeed need = claim.needs.get(i);
            if (need.reads() && need.writes()) {
                keep(need.box(), claim, i, supply, after);
            } else if (need.writes() && claim.first.overlap) {
                keepRead(need, claim, i, supply, after);
            }
        }
    }

    /** Keeps what the task reads by other accesses of what it writes over by {@code written}, which does not read. */
    private void keepRead(DataNeed written, ReplicaClaim claim, int index, Fetcher supply, DeferredActions after) {
        for (DataNeed read : claim.needs) {
            if (read.reads() && read.data() == written.data() && read.box().intersects(written.box())) {
                keep(read.box().intersection(written.box()), claim, index, supply, after);
            }
        }
    }

    private void keep(Box box, ReplicaClaim claim, int index, Fetcher supply, DeferredActions after) {
        Replica mine = claim.memoryOf(index);
        for (Atom atom : mine.directory.cut(box)) {
            Replica other = other(atom, mine);
            if (other == null) {
                bring(claim, atom, mine, supply, after);
            } else {
                pin(claim, other);
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

    private void bring(ReplicaClaim claim, Atom atom, Replica mine, Fetcher supply, DeferredActions after) {
        DataNeed need = new DataNeed(mine.directory.data, atom.box, true, false);
        Replica free = free(atom, mine);
        if (free == null && !store.eviction.makeRoom(store.host, store.host.bytes(need), after)) {
            supply.starve(claim);
            return;
        }
        Replica to = free == null ? store.allocate(store.host, need) : free;
        pin(claim, to); // at once: else others make room where it is, and this makes room where theirs is, for ever
        supply.awaitCopy(claim, store.start(atom, mine, to, after));
    }

    private static void pin(ReplicaClaim claim, Replica other) {
        if (!claim.kept.contains(other)) {
            claim.kept.add(other);
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

    /** Unpins what was kept for a claim that is over. */
    void giveBack(ReplicaClaim claim) {
        for (Replica replica : claim.kept) {
            replica.unpin();
        }
        claim.kept.clear();
    }
}
