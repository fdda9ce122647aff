package dev.jacquard.memory.coherence;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Lets claims go on that come after others for which there is no room. Asked only when the others cannot go on before
 * other tasks give something back: a task that reads the data that fills the memory, and came after tasks that wait for
 * room.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 */
final class Overtaking {
    /** The number of candidates from which on candidates that have gone on are dropped. */
    private static final int MANY = 64;

    private final Store store;
    private final Admission admission;
    /** The claims that needed no more room when they came into line. */
    private final Deque<ReplicaClaim> candidates = new ArrayDeque<>();

    private int many = MANY;

    Overtaking(Store store, Admission admission) {
        this.store = store;
        this.admission = admission;
    }

    /** Notes a claim that has come into line. */
    void cameIntoLine(ReplicaClaim claim) {
        if (!needsNoRoom(claim)) {
            return;
        }
        if (candidates.size() >= many) {
            candidates.removeIf(one -> one.placed || one.failure != null);
            many = Math.max(MANY, 2 * candidates.size());
        }
        candidates.add(claim);
    }

    /** No claim waits: claims that have gone on need not be kept alive here. */
    void forget() {
        candidates.clear();
    }

    /** Returns true if all replicas that the claim needs are there. */
    private boolean needsNoRoom(ReplicaClaim claim) {
        for (int i = 0; i < claim.replicas.length; i++) {
            DataNeed need = claim.needs.get(i);
            if (!need.isNone()) {
                Replica known = store.directory(need.data()).find(claim.space, claim.room(i), claim.space.usesParts);
                if (known == null || known.leaving) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Lets the first claim go on that needs no more room; true if there is one. */
    boolean byWhoNeedsNoRoom(DeferredActions after) {
        for (ReplicaClaim claim = candidates.poll(); claim != null; claim = candidates.poll()) {
            if (claim.space.line.contains(claim) && needsNoRoom(claim) && admission.goesOn(claim, after)) {
                return true;
            }
        }
        return false;
    }

    /** Lets the first claim go on for which there is room; true if there is one. Takes as long as the lines are. */
    boolean byAny(DeferredActions after) {
        boolean any = by(store.host, after);
        for (int i = 0; i < store.devices.size() && !any; i++) {
            any = by(store.devices.get(i), after);
        }
        return any;
    }

    private boolean by(Space space, DeferredActions after) {
        if (space.line.size() < 2) { // the first one has tried
            return false;
        }
        for (ReplicaClaim claim : List.copyOf(space.line)) {
            if (admission.goesOn(claim, after)) {
                return true;
            }
        }
        return false;
    }
}
