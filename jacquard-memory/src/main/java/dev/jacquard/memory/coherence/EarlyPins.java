package dev.jacquard.memory.coherence;

import java.util.Arrays;

/**
 * Pins what a device was told to use before the task is ready: it takes no room, and moves nothing.
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
     * Pins what the task needs if all of it is there, or will be when the device has done what it was told before. Each
     * other task that reads or writes it is over, or comes behind the task.
     */
    boolean enter(ReplicaClaim lease) {
        if (lease.space.lost != null || !isThere(lease)) {
            return false;
        }
        for (int i = 0; i < lease.replicas.length; i++) {
            Replica replica = lease.memoryOf(i);
            replica.pin();
            store.used(replica);
            if (lease.needs.get(i).writes()) {
                replica.overwrite(lease.needs.get(i).box());
                replica.written.add(lease.needs.get(i).box());
            }
        }
        admission.placed(1);
        return true;
    }

    private boolean isThere(ReplicaClaim lease) {
        for (int i = 0; i < lease.replicas.length; i++) {
            Need need = lease.needs.get(i);
            Directory directory = store.directory(need.data());
            Replica replica = directory.find(lease.space, lease.room(i), lease.space.usesParts);
            if (replica == null || !isUsable(need, directory, replica)) {
                Arrays.fill(lease.replicas, null);
                return false;
            }
            lease.replicas[i] = replica;
        }
        return true;
    }

    private static boolean isUsable(Need need, Directory directory, Replica replica) {
        boolean free = !need.adds() && !directory.retired && !replica.leaving && !replica.released;
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
            // What comes into other memory may be newer: the order of the two is known when their tasks are over.
            if ((!there && !replica.comes(atom.box)) || !directory.isStableBeside(replica, atom.box)) {
                return false;
            }
        }
        return true;
    }

    /** Ends a task without the launch that the device was told for it, which may be done by now, or will be. */
    void abandon(ReplicaClaim lease, AheadLaunch ahead) {
        for (int i = 0; i < lease.replicas.length; i++) {
            Need need = lease.needs.get(i);
            if (need.writes() && ahead.mayHaveRun() && lease.space.lost == null) {
                lease.directory(i).spoilt(need.box(), lease.memoryOf(i));
            }
        }
        ahead.abandoned = true;
        if (!ahead.inFlight) {
            letGo(lease);
        }
    }

    /** Unpins what {@link #enter} pinned: nothing that the device was told needs it any more. */
    void letGo(ReplicaClaim lease) {
        admission.placed(-1);
        for (int i = 0; i < lease.replicas.length; i++) {
            Need need = lease.needs.get(i);
            Replica replica = lease.memoryOf(i);
            if (need.writes()) {
                replica.written.remove(need.box());
            }
            admission.commits.letGo(replica);
            if (lease.ahead == null) {
                lease.replicas[i] = null;
            }
        }
    }
}
