package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.residency.DataClaim;
import java.util.List;

/**
 * Takes replicas back from leases, and commits what their tasks wrote.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 */
final class Commits {
    private final Store store;
    private final Admission admission;
    private final Adders adders;
    private final RetrySnapshot safekeeping;

    Commits(Store store, Admission admission, Adders adders, RetrySnapshot safekeeping) {
        this.store = store;
        this.admission = admission;
        this.adders = adders;
        this.safekeeping = safekeeping;
    }

    /**
     * Takes back the replicas that the lease has, or waits for.
     *
     * @param version the number of its writes
     */
    void leave(ReplicaClaim lease, boolean well, long version) {
        if (!isPlaced(lease)) {
            return;
        }
        for (int i = 0; i < lease.replicas.length; i++) {
            Need need = lease.needs.get(i);
            Replica replica = lease.replicas[i];
            if (replica == null) {
                continue; // given up
            }
            // What it was to change, and did not begin to, is as it was. What it was to overwrite was dropped before,
            // unless it is to read some of that, too.
            boolean dropped = !need.reads() && !lease.first.overlap;
            if (need.writes() && (well || lease.mayHaveRun() || dropped)) {
                written(lease, need, replica, well, version);
            } else if (!well && lease.runs) {
                lookAnew(lease, need, replica);
            }
            letGo(replica);
        }
        safekeeping.giveBack(lease);
    }

    /** Takes what a failed task read as it is now: its own failure has told of a change against its declaration. */
    private static void lookAnew(ReplicaClaim lease, Need need, Replica replica) {
        HomeChecksum watch = replica.directory.watch;
        if (watch != null && replica.isHome() && !need.writes() && !watch.isInFlux(need.box())) {
            watch.saw(need.box(), "task \"" + lease.task + '"');
        }
    }

    /**
     * Takes back the replicas of a lease that serves several tasks.
     *
     * @param all true if all of it was written well before these tasks
     * @param begun the tasks that were begun, in their order
     */
    void leave(ReplicaClaim lease, boolean all, List<DataClaim.Share> begun, long version) {
        if (!isPlaced(lease)) {
            return;
        }
        for (int i = 0; all && i < lease.replicas.length; i++) {
            if (lease.needs.get(i).writes()) {
                commit(lease, lease.needs.get(i), lease.needs.get(i).box(), lease.memoryOf(i), version);
            }
        }
        begun.forEach(share -> replay(lease, ((Needs) share.footprint()).all, share.well(), version));
        for (int i = 0; i < lease.replicas.length; i++) {
            Replica replica = lease.replicas[i];
            if (replica == null) {
                continue; // an access that does nothing
            }
            if (lease.needs.get(i).writes()) {
                untouched(lease, lease.needs.get(i).box(), replica);
            }
            letGo(replica);
        }
        safekeeping.giveBack(lease);
    }

    /** Ends a task of {@code lease} with these needs as if the task had a lease of its own. */
    private void replay(ReplicaClaim lease, List<Need> all, boolean well, long version) {
        List<Need> needs = all.stream().filter(need -> !need.isNone()).toList();
        boolean good = well;
        for (Need need : needs) { // what it read may have been lost before, by a task whose failure does not cancel it
            Replica replica = lease.memoryOf(need);
            good &= !need.reads() || replica.directory.isValid(need.box(), replica);
        }
        for (Need need : needs) {
            Replica replica = lease.memoryOf(need);
            if (need.writes() && good) {
                commit(lease, need, need.box(), replica, version);
            } else if (need.writes()) {
                replica.directory.spoilt(need.box(), replica);
                adders.spoilt(replica, need);
            }
        }
    }

    /** Notes that the rest of {@code box} is not written: replicas that had it have it, unless they went meanwhile. */
    private static void untouched(ReplicaClaim lease, Box box, Replica replica) {
        for (Atom atom : replica.directory.cut(box)) {
            atom.beingWritten = false;
            atom.lossTold |= atom.valid.isEmpty(); // by the tasks that were to write it
        }
        if (lease.runs) {
            replica.written.remove(box);
        }
    }

    /** Returns true if the lease, which is over, has its replicas; else it does not wait for them any more. */
    private boolean isPlaced(ReplicaClaim lease) {
        boolean heldBack = adders.ended(lease);
        if (!lease.placed) {
            if (lease.ahead != null) {
                admission.early.abandon(lease, lease.ahead);
            } else if (!heldBack) {
                lease.space.line.remove(lease);
            }
            return false;
        }
        admission.placed(-1);
        lease.space.leases -= lease.counts ? 1 : 0;
        return true;
    }

    void letGo(Replica replica) {
        replica.pins--;
        store.used(replica); // before it may go
        replica.goIfReleased();
    }

    private void written(ReplicaClaim lease, Need need, Replica replica, boolean well, long version) {
        if (well) {
            commit(lease, need, need.box(), replica, version);
        } else {
            replica.directory.spoilt(need.box(), replica);
            adders.spoilt(replica, need);
        }
        if (lease.runs) {
            replica.written.remove(need.box());
        }
    }

    /** Commits {@code box} of the data of {@code need}, which only tasks that add write from now on. */
    private void commit(ReplicaClaim lease, Need need, Box box, Replica replica, long version) {
        replica.directory.written(box, replica, version, lease.task);
        for (ReplicaClaim.Spoilt half : lease.spoilt) {
            if (half.replica() == replica && half.box().intersects(box)) {
                replica.directory.spoilt(half.box().intersection(box), replica);
            }
        }
        if (replica.directory.watch != null && replica.isHome() && !adders.isAdding(replica.directory, need)) {
            replica.directory.watch.saw(box, "task \"" + lease.task + '"');
        }
    }

    /**
     * Takes rights from the task of {@code lease}, which runs. What it has written so far is the newest where it writes
     * no more, and where it only adds from now on: other tasks that add begin with that.
     *
     * @param left the needs from now on, one for each of the needs before
     * @param version the number of what it has written
     */
    void demote(ReplicaClaim lease, List<Need> left, long version) {
        List<Need> before = lease.needs;
        adders.ended(lease);
        lease.needs = List.copyOf(left);
        lease.recipe = null;
        safekeeping.giveBack(lease); // there is no other try
        for (int i = 0; i < before.size(); i++) {
            Replica replica = lease.replicas[i];
            if (replica != null && !before.get(i).equals(left.get(i))) {
                demote(lease, i, before.get(i), replica, version);
            }
        }
        adders.began(lease);
    }

    private void demote(ReplicaClaim lease, int index, Need from, Replica replica, long version) {
        Need to = lease.needs.get(index);
        if (from.writes()) {
            for (Box box : givenUp(lease, index, from)) {
                commit(lease, from, box, replica, version);
            }
            replica.written.remove(from.box());
        }
        if (from.writes() && to.writes()) {
            replica.written.add(to.box());
            replica.directory.cut(to.box()).forEach(atom -> atom.beingWritten = true);
            if (replica.directory.watch != null && replica.isHome()) {
                replica.directory.watch.forget(to.box());
            }
        }
        if (to.isNone()) {
            lease.replicas[index] = null;
            letGo(replica);
        }
    }

    /** The parts of {@code from} that the lease does not write any more, or only adds to. */
    private static List<Box> givenUp(ReplicaClaim lease, int index, Need from) {
        List<Box> given = List.of(from.box());
        for (int i = 0; i < lease.needs.size(); i++) {
            Need kept = lease.needs.get(i);
            boolean writes = kept.writes() && (kept.adds() == from.adds() || i != index);
            if (writes && kept.data() == from.data()) {
                given = given.stream()
                        .flatMap(box -> box.without(kept.box()).stream())
                        .toList();
            }
        }
        return given;
    }
}
