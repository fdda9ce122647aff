package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.residency.DataClaim;
import java.util.List;

/**
 * Takes replicas back from claims, and commits the output of their tasks.
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
     * Takes back the replicas that the claim has, or waits for.
     *
     * @param version the number of its writes
     */
    void leave(ReplicaClaim claim, boolean well, long version) {
        if (!isPlaced(claim)) {
            return;
        }
        for (int i = 0; i < claim.replicas.length; i++) {
            DataNeed need = claim.needs.get(i);
            Replica replica = claim.replicas[i];
            if (replica == null) {
                continue; // given up
            }
            // Data that it was to change, and did not begin to, is as it was. Data that it was to overwrite was dropped
            // before, unless it is to read some of that, too.
            boolean dropped = !need.reads() && !claim.first.overlap;
            if (need.writes() && (well || claim.mayHaveRun() || dropped)) {
                written(claim, need, replica, well, version);
            } else if (!well && claim.runs) {
                lookAnew(claim, need, replica);
            }
            letGo(replica);
        }
        safekeeping.giveBack(claim);
    }

    /**
     * Accepts data read by a failed task as it is now: its own failure has reported a change against its declaration.
     */
    private static void lookAnew(ReplicaClaim claim, DataNeed need, Replica replica) {
        HomeChecksum watch = replica.directory.watch;
        if (watch != null && replica.isHome() && !need.writes() && !watch.isInFlux(need.box())) {
            watch.saw(need.box(), "task \"" + claim.task + '"');
        }
    }

    /**
     * Takes back the replicas of a claim that serves several tasks.
     *
     * @param all true if all of it was written well before these tasks
     * @param begun the tasks that were begun, in their order
     */
    void leave(ReplicaClaim claim, boolean all, List<DataClaim.Share> begun, long version) {
        if (!isPlaced(claim)) {
            return;
        }
        for (int i = 0; all && i < claim.replicas.length; i++) {
            if (claim.needs.get(i).writes()) {
                commit(claim, claim.needs.get(i), claim.needs.get(i).box(), claim.memoryOf(i), version);
            }
        }
        if (begun.isEmpty() && claim.failure instanceof ChangedHomeException changed) {
            changed.tellNext();
        }
        begun.forEach(share -> replay(claim, ((DataNeeds) share.footprint()).all, share.well(), version));
        for (int i = 0; i < claim.replicas.length; i++) {
            Replica replica = claim.replicas[i];
            if (replica == null) {
                continue; // an access that does nothing
            }
            if (claim.needs.get(i).writes()) {
                untouched(claim, claim.needs.get(i), replica);
            }
            letGo(replica);
        }
        safekeeping.giveBack(claim);
    }

    /** Ends a task of {@code claim} with these needs as if the task had its own claim. */
    private void replay(ReplicaClaim claim, List<DataNeed> all, boolean well, long version) {
        List<DataNeed> needs = all.stream().filter(need -> !need.isNone()).toList();
        boolean good = well;
        for (DataNeed need : needs) { // its input may be lost, by a task that fails without cancelling it
            Replica replica = claim.memoryOf(need);
            good &= !need.reads() || replica.directory.isValid(need.box(), replica);
        }
        for (DataNeed need : needs) {
            Replica replica = claim.memoryOf(need);
            if (need.writes() && (good || mayStay(claim, need, replica))) {
                commit(claim, need, need.box(), replica, version);
            } else if (need.writes()) {
                replica.directory.spoilt(need.box(), replica);
                adders.spoilt(replica, need);
            }
        }
    }

    /**
     * Keeps the part of {@code need} that the task did not write valid wherever it was valid. Skips replicas evicted
     * since, and parts that an enqueued kernel may overwrite.
     */
    private void untouched(ReplicaClaim claim, DataNeed need, Replica replica) {
        Directory directory = replica.directory;
        if (claim.ahead != null && claim.ahead.mayHaveRun() && claim.space.lost == null) {
            directory.overtaken(need.box(), replica);
        } else {
            boolean othersAdd = adders.isAdding(directory, need);
            for (Atom atom : directory.cut(need.box())) {
                atom.beingWritten &= othersAdd;
                atom.lossTold |= atom.valid.isEmpty(); // by the tasks that were to write it
            }
        }
        if (claim.runs) {
            replica.written.remove(need.box());
        }
    }

    /** Returns true if the claim, which is over, has its replicas; else it does not wait for them any more. */
    private boolean isPlaced(ReplicaClaim claim) {
        boolean heldBack = adders.ended(claim);
        if (!claim.placed) {
            if (claim.ahead != null) {
                admission.early.abandon(claim, claim.ahead);
            } else if (!heldBack) {
                claim.space.line.remove(claim);
            }
            return false;
        }
        noLongerPlaced(claim);
        return true;
    }

    private void noLongerPlaced(ReplicaClaim claim) {
        admission.placed(-1);
        claim.space.claims -= claim.counts ? 1 : 0;
    }

    /** Takes back the place of a claim that waits for room and goes back into line, and the data kept for it. */
    void goesBack(ReplicaClaim claim) {
        adders.ended(claim);
        noLongerPlaced(claim);
        safekeeping.giveBack(claim);
    }

    void letGo(Replica replica) {
        replica.pins--;
        store.used(replica); // before it may go
        replica.goIfReleased();
    }

    private void written(ReplicaClaim claim, DataNeed need, Replica replica, boolean well, long version) {
        if (well || mayStay(claim, need, replica)) {
            commit(claim, need, need.box(), replica, version);
        } else {
            replica.directory.spoilt(need.box(), replica);
            adders.spoilt(replica, need);
        }
        if (claim.runs) {
            replica.written.remove(need.box());
        }
    }

    /**
     * Returns true if a replica that a failed task has left half done is to stay the newest: other tasks have written
     * other elements of it, and the graph keeps tasks that meet the half-done elements from running.
     */
    private static boolean mayStay(ReplicaClaim claim, DataNeed need, Replica replica) {
        return need.beside() == DataNeed.Beside.STRANGERS
                && claim.runs
                && replica.space.lost == null
                && replica.directory.isValid(need.box(), replica);
    }

    /** Commits {@code box} of the data of {@code need}, which only tasks that add write from now on. */
    private void commit(ReplicaClaim claim, DataNeed need, Box box, Replica replica, long version) {
        replica.directory.written(box, replica, version, claim.task);
        for (ReplicaClaim.Spoilt half : claim.spoilt) {
            if (half.replica() == replica && half.box().intersects(box)) {
                replica.directory.spoilt(half.box().intersection(box), replica);
            }
        }
        if (replica.directory.watch != null && replica.isHome() && !adders.isAdding(replica.directory, need)) {
            replica.directory.watch.saw(box, "task \"" + claim.task + '"');
        }
    }

    /**
     * Takes rights from the task of {@code claim}, which runs. Its output so far is the newest where it writes no more,
     * and where it only adds from now on: other tasks that add begin with that.
     *
     * @param left the needs from now on, one for each of the needs before
     * @param version the version of its output so far
     */
    void demote(ReplicaClaim claim, List<DataNeed> left, long version) {
        List<DataNeed> before = claim.needs;
        adders.ended(claim);
        claim.needs = List.copyOf(left);
        claim.recipe = null;
        safekeeping.giveBack(claim); // there is no other try
        for (int i = 0; i < before.size(); i++) {
            Replica replica = claim.replicas[i];
            if (replica != null && !before.get(i).equals(left.get(i))) {
                demote(claim, i, before.get(i), replica, version);
            }
        }
        adders.began(claim);
    }

    private void demote(ReplicaClaim claim, int index, DataNeed from, Replica replica, long version) {
        DataNeed to = claim.needs.get(index);
        if (from.writes()) {
            for (Box box : givenUp(claim, index, from)) {
                commit(claim, from, box, replica, version);
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
            claim.replicas[index] = null;
            letGo(replica);
        }
    }

    /** The parts of {@code from} that the claim does not write any more, or only adds to. */
    private static List<Box> givenUp(ReplicaClaim claim, int index, DataNeed from) {
        List<Box> given = List.of(from.box());
        for (int i = 0; i < claim.needs.size(); i++) {
            DataNeed kept = claim.needs.get(i);
            boolean writes = kept.writes() && (kept.shares() == from.shares() || i != index);
            if (writes && kept.data() == from.data()) {
                given = given.stream()
                        .flatMap(box -> box.without(kept.box()).stream())
                        .toList();
            }
        }
        return given;
    }
}
