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
     * Lets another replica have the data that {@code claim} is to read and to overwrite; the claim waits for it if need
     * be. All that the claim accesses is there.
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

    /** Keeps data that the task reads by other accesses and overwrites by {@code written}, which does not read. */
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
        Replica to = place(atom, mine, after);
        if (to == null) {
            supply.starve(claim);
            return;
        }
        pin(claim, to); // at once: else others make room where it is, and this makes room where theirs is, for ever
        Transfer copy = store.start(atom, mine, to, after);
        if (to.space != store.host) {
            copy.whenOver.add(error -> {
                if (error != null) {
                    to.space.failed(error); // else it would be tried again and again
                }
            });
        }
        supply.awaitCopy(claim, copy);
    }

    /**
     * Returns where a copy of the atom may be: on the host, and while tasks would fail for want of room there also
     * farther away; null when there is no room.
     */
    private @Nullable Replica place(Atom atom, Replica mine, DeferredActions after) {
        Replica on = place(store.host, atom, mine, after);
        if (on != null || !store.eviction.isPressing()) {
            return on;
        }
        for (Space space : store.spaces) {
            if (space.level > store.host.level && space.failure == null && mine.space.pathTo(space) != null) {
                Replica there = place(space, atom, mine, after);
                if (there != null) {
                    return there;
                }
            }
        }
        return null;
    }

    private @Nullable Replica place(Space space, Atom atom, Replica mine, DeferredActions after) {
        Replica free = free(space, atom, mine);
        DataNeed need = new DataNeed(mine.directory.data, atom.box, true, false);
        return free == null && store.eviction.makeRoom(space, space.bytes(need), after)
                ? store.allocate(space, need)
                : free;
    }

    private static void pin(ReplicaClaim claim, Replica other) {
        if (!claim.kept.contains(other)) {
            claim.kept.add(other);
            other.pin();
        }
    }

    /** Returns a replica that is not in use and just for the atom; null when there is none. */
    private static @Nullable Replica free(Space space, Atom atom, Replica mine) {
        for (Replica replica : mine.directory.all()) {
            boolean free = replica.pins == 0 && replica.frozen == 0 && !replica.leaving;
            if (free && replica != mine && replica.space == space && replica.box.equals(atom.box)) {
                return replica;
            }
        }
        return null;
    }

    /** Unpins the replicas kept for a claim that is over. */
    void giveBack(ReplicaClaim claim) {
        for (Replica replica : claim.kept) {
            replica.unpin();
        }
        claim.kept.clear();
    }
}
