package dev.jacquard.memory.coherence;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes room in spaces. The cache policy says which replica goes. A replica with contents that others have is dropped
 * at once; the only valid copy is written to a space farther away first, from devices to the host, from the host to
 * disk.
 *
 * <p>The only valid copy is never dropped, except of data that is being overwritten.
 *
 * <p>Parts that a space farther away has of a replica that is to go there stay there: only the rest is written. Where
 * parts overlap there they may take so much that the rest finds no room. While tasks would fail for want of room (see
 * {@link #press}) they are dropped, and all is written.
 *
 * <p>Guarded by the lock of the {@link Coherence}, under which all methods are called.
 */
final class Eviction {
    private final Store store;
    /** True while parts of replicas that are to be written farther away may be dropped there. */
    private boolean pressing;

    Eviction(Store store) {
        this.store = store;
    }

    /** Returns true while tasks would fail for want of room, see {@link #press}. */
    boolean isPressing() {
        return pressing;
    }

    /**
     * Runs {@code attempt}, for which spaces farther away may also drop their parts of the data that is to go there.
     */
    void press(Runnable attempt) {
        pressing = true;
        try {
            attempt.run();
        } finally {
            pressing = false;
        }
    }

    /**
     * Begins to make room for {@code bytes}, if there is none.
     *
     * @return true if there is room now
     * @throws dev.jacquard.memory.cache.CachePolicyException when the cache policy breaks its contract
     */
    boolean makeRoom(Space space, long bytes, DeferredActions after) {
        if (bytes > space.limit) {
            return false; // whatever goes
        }
        if (space.used + bytes - space.leaving > space.limit) {
            List<Replica> passedOver = new ArrayList<>(0);
            try {
                space.sparing = space.prefetches() && space.queue.fits(space.limit);
                evict(space, bytes, passedOver, after);
            } finally {
                space.sparing = false;
                passedOver.forEach(replica -> replica.passedOver = false);
            }
        }
        return space.used + bytes <= space.limit;
    }

    /** Lets replicas go until there will be room, or none is left that can go. */
    private void evict(Space space, long bytes, List<Replica> passedOver, DeferredActions after) {
        while (space.used + bytes - space.leaving > space.limit) {
            Replica victim = space.residents().victim();
            if (victim == null && space.sparing) {
                space.sparing = false; // running tasks take precedence over later ones
            } else if (victim == null) {
                return;
            } else if (!letGo(victim, after)) {
                victim.passedOver = true;
                passedOver.add(victim);
            }
        }
    }

    /** Drops a replica, or begins to write the parts that only it has elsewhere; false if it cannot go. */
    boolean letGo(Replica replica, DeferredActions after) {
        if (!replica.mayGo()) {
            return false;
        }
        boolean isSaved = isElsewhere(replica);
        if (isSaved) {
            drop(replica);
        }
        boolean goes = isSaved || writeBack(replica, after);
        replica.space.evictions += goes ? 1 : 0;
        return goes;
    }

    /**
     * Makes room for something that is not needed yet; lets go only replicas that no live task needs and that have
     * contents held elsewhere, too.
     *
     * @return true if there is room now
     * @throws dev.jacquard.memory.cache.CachePolicyException when the cache policy breaks its contract
     */
    boolean makeRoomAhead(Space space, long bytes) {
        space.sparing = true;
        try {
            while (space.used + bytes > space.limit) {
                Replica victim = space.residents().victim();
                if (victim == null || !isElsewhere(victim)) {
                    return false;
                }
                drop(victim);
                space.evictions++;
            }
            return true;
        } finally {
            space.sparing = false;
        }
    }

    /** Returns true if others have all that it has. */
    static boolean isElsewhere(Replica replica) {
        return replica.directory.heldBy(replica).stream().allMatch(atom -> isSaved(atom, replica));
    }

    /** Returns true if another replica has the atom, or no task needs it. */
    private static boolean isSaved(Atom atom, Replica replica) {
        return atom.beingWritten || atom.valid.stream().anyMatch(other -> other != replica && !other.leaving);
    }

    void drop(Replica replica) {
        if (replica.space.lost == null) { // else it was done then
            replica.directory.forget(replica);
        }
        replica.space.residents().giveBack(replica);
    }

    /** Begins to write the parts that only {@code victim} has to a space farther away; false when none takes them. */
    private boolean writeBack(Replica victim, DeferredActions after) {
        for (Space next : store.spaces) {
            boolean farther = next.level > victim.space.level && victim.space.pathTo(next) != null;
            if (farther && next.failure == null && writeBack(victim, next, after)) {
                return true;
            }
        }
        return false;
    }

    private boolean writeBack(Replica victim, Space next, DeferredActions after) {
        List<Replica> saved = savedIn(next, victim);
        return writeRest(victim, saved, next, after)
                || (pressing && dropAny(saved) && writeRest(victim, savedIn(next, victim), next, after));
    }

    /** Returns the replicas in {@code next} that have some of the parts of {@code victim}. */
    private static List<Replica> savedIn(Space next, Replica victim) {
        return victim.directory.heldBy(victim).stream()
                .flatMap(atom -> atom.valid.stream())
                .filter(other -> other.space == next)
                .distinct()
                .toList();
    }

    /**
     * Drops the replicas that are not in use, and have contents that others have, too; returns true if there are any.
     */
    private boolean dropAny(List<Replica> replicas) {
        boolean any = false;
        for (Replica replica : replicas) {
            if (!replica.isHome() && replica.mayGo() && isElsewhere(replica)) {
                drop(replica);
                replica.space.evictions++;
                any = true;
            }
        }
        return any;
    }

    /** Begins to write the parts that only {@code victim} has to {@code next}; returns false if there is no room. */
    private boolean writeRest(Replica victim, List<Replica> saved, Space next, DeferredActions after) {
        List<Atom> only = victim.directory.heldBy(victim).stream()
                .filter(atom -> !isSaved(atom, victim))
                .toList();
        // Its parts saved already must stay, or they are dropped again to make room for the rest, for ever.
        saved.forEach(Replica::pin);
        List<Replica> targets = new ArrayList<>();
        boolean found = findTargets(victim, only, next, targets, after);
        saved.forEach(Replica::unpin);
        targets.forEach(Replica::unpin);
        if (!found) {
            return false;
        }
        victim.space.residents().leaves(victim);
        victim.writing = only.size();
        for (int i = 0; i < only.size(); i++) {
            store.start(only.get(i), victim, targets.get(i), after).whenOver.add(error -> {
                victim.writing--;
                if (error != null) {
                    next.failed(error); // else it would be tried again and again
                }
                if (error != null && victim.leaving) {
                    victim.space.residents().stays(victim); // the only one
                    store.isStuck(victim, error);
                }
            });
        }
        return true;
    }

    /**
     * Adds to {@code targets} the replica that each of {@code atoms} is written to, pinned: room for the next must not
     * be made there.
     *
     * @return false when there is none
     */
    private boolean findTargets(
            Replica victim, List<Atom> atoms, Space next, List<Replica> targets, DeferredActions after) {
        for (Atom atom : atoms) {
            Replica target = victim.directory.find(next, atom.box, next.usesParts);
            DataNeed need = new DataNeed(victim.directory.data, atom.box, true, false);
            if (target == null && !makeRoom(next, next.bytes(need), after)) {
                return false;
            }
            if (target != null
                    && (target.leaving
                            || target.frozen > 0
                            || victim.directory.writingInto(target, atom.box) != null)) {
                return false; // tried again when that is over
            }
            targets.add(target == null ? store.allocate(next, need) : target);
            targets.getLast().pin();
            store.used(targets.getLast());
        }
        return true;
    }

    /** Drops a leaving replica of which nothing is left to be written, and which is not in use. */
    private void leave(Replica replica) {
        if (replica.leaving && replica.writing == 0 && replica.pins == 0) {
            if (isElsewhere(replica)) {
                drop(replica);
            } else {
                replica.space.residents().stays(replica); // the replica that had the rest has it no more
            }
        }
    }

    /** Drops the ends of a copy that were leaving, and can go now. */
    void letLeave(Transfer landed) {
        leave(landed.from);
        leave(landed.to);
    }
}
