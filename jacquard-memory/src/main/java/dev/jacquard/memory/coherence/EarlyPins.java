package dev.jacquard.memory.coherence;

import java.util.Arrays;

/**
 * Pins the replicas of launches enqueued before their task is ready: it takes no room, and moves nothing.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 */
final class EarlyPins {
    private final Store store;
    private final Admission admission;

    EarlyPins(Store store, Admission admission) {
        this.store = store;
        this.admission = admission;
    }

    /**
     * Pins the data that the task needs if all of it is there, or will be when the device has done its earlier work.
     * Each other task that reads or writes it is over, or comes after the task.
     */
    boolean enter(ReplicaClaim claim) {
        if (claim.space.lost != null || !isThere(claim)) {
            return false;
        }
        for (int i = 0; i < claim.replicas.length; i++) {
            Replica replica = claim.memoryOf(i);
            replica.pin();
            store.used(replica);
            if (claim.needs.get(i).writes()) {
                replica.overwrite(claim.needs.get(i).box());
                replica.written.add(claim.needs.get(i).box());
            }
        }
        admission.placed(1);
        return true;
    }

    private boolean isThere(ReplicaClaim claim) {
        for (int i = 0; i < claim.replicas.length; i++) {
            DataNeed need = claim.needs.get(i);
            Directory directory = store.directory(need.data());
            Replica replica = directory.find(claim.space, claim.room(i), claim.space.usesParts);
            if (replica == null || !isUsable(need, directory, replica)) {
                Arrays.fill(claim.replicas, null);
                return false;
            }
            claim.replicas[i] = replica;
        }
        return true;
    }

    private static boolean isUsable(DataNeed need, Directory directory, Replica replica) {
        boolean free = !need.shares() && !directory.retired && !replica.leaving && !replica.released;
        if (!free
                || directory.writingInto(replica, need.box()) != null
                || (need.writes() && (replica.frozen > 0 || directory.readingFrom(replica, need.box()) != null))) {
            return false;
        }
        if (!need.reads()) {
            return true;
        }
        for (Atom atom : directory.cut(need.box())) {
            boolean there = !atom.beingWritten && atom.valid.contains(replica) && replica.isStable(atom.box);
            // Data that comes into other memory may be newer: the order of the two is known when their tasks are over.
            if ((!there && !replica.comes(atom.box)) || !directory.isStableBeside(replica, atom.box)) {
                return false;
            }
        }
        return true;
    }

    /** Ends a task without the launch that was enqueued for it, which may be done by now, or will be. */
    void abandon(ReplicaClaim claim, AheadLaunch ahead) {
        for (int i = 0; i < claim.replicas.length; i++) {
            DataNeed need = claim.needs.get(i);
            if (need.writes() && ahead.mayHaveRun() && claim.space.lost == null) {
                claim.directory(i).overtaken(need.box(), claim.memoryOf(i));
            }
        }
        ahead.abandoned = true;
        if (!ahead.inFlight) {
            letGo(claim);
        }
    }

    /** Unpins the replicas that {@link #enter} pinned: no enqueued work needs them any more. */
    void letGo(ReplicaClaim claim) {
        admission.placed(-1);
        if (claim.plan != null) {
            claim.plan.told = false;
        }
        for (int i = 0; i < claim.replicas.length; i++) {
            DataNeed need = claim.needs.get(i);
            Replica replica = claim.memoryOf(i);
            if (need.writes()) {
                replica.written.remove(need.box());
            }
            admission.commits.letGo(replica);
            if (claim.ahead == null) {
                claim.replicas[i] = null;
            }
        }
    }
}
