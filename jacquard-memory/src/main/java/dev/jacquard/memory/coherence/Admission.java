package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.device.DeviceLostException;
import dev.jacquard.memory.residency.DataClaim;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives leases their replicas, all of them or none, first come, first served per memory; takes them back.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 */
final class Admission {
    private final Store store;
    private final Fetcher supply;
    private final RecomputationQueue recoveries;
    private final RetrySnapshot safekeeping;
    private final LostDevices losses;
    private final Adders adders = new Adders();
    /** The number of leases that have replicas. */
    private int placed;
    /** The pins of launches that devices are told ahead. */
    final EarlyPins early;

    Admission(
            Store store, Fetcher supply, RecomputationQueue recoveries, RetrySnapshot safekeeping, LostDevices losses) {
        this.store = store;
        this.supply = supply;
        this.recoveries = recoveries;
        this.safekeeping = safekeeping;
        this.losses = losses;
        this.early = new EarlyPins(store, this);
    }

    /** Notes that {@code more} leases more have replicas, or fewer. */
    void placed(int more) {
        placed += more;
    }

    /** Gives the lease its replicas and begins to bring what they lack, or lets it wait for its turn. */
    void enter(ReplicaClaim lease, DeferredActions after) {
        store.tryAgain();
        if (lease.ahead != null) {
            adopt(lease, lease.ahead, after);
        } else if (adders.holdBack(lease, store)) {
            // goes on when the tasks that add elsewhere are over
        } else if (!lease.space.line.isEmpty() || !place(lease, after)) {
            lease.space.line.add(lease);
        } else if (lease.failure == null) {
            supply.fetch(lease, after);
        }
        unlessStuck(after);
    }

    /** Returns how often a task that adds was held against others so far. For tests. */
    long looksAtAdders() {
        return adders.looks();
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
                early.abandon(lease, lease.ahead);
            } else if (!heldBack) {
                lease.space.line.remove(lease);
            }
            return false;
        }
        placed--;
        lease.space.leases -= lease.counts ? 1 : 0;
        return true;
    }

    /** The task is ready, and gets the replicas that its work was told to use. It waits for no room. */
    private void adopt(ReplicaClaim lease, AheadLaunch ahead, DeferredActions after) {
        if (lease.space.lost != null) {
            lease.failure = lease.space.lost;
            return;
        }
        for (int i = 0; i < lease.replicas.length; i++) {
            lease.memoryOf(i).pin();
        }
        placed++;
        lease.placed = true;
        adders.began(lease);
        ahead.claimed = true;
        if (!ahead.inFlight) {
            early.letGo(lease);
        }
        supply.fetch(lease, after);
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

    /** Lets the leases that wait try again, since something was given back. */
    void advance(DeferredActions after) {
        supply.tryStarved(after);
        do {
            adders.next(store).forEach(lease -> lease.space.line.add(lease));
            advance(store.host, after);
            for (DeviceSpace device : store.devices) {
                advance(device, after);
            }
        } while (adders.anyLeft()); // a lease is held back again where another one has begun: that ends
        unlessStuck(after);
    }

    /** Gives the lease a replica for each need that is not given up, or none; false when it has to wait for room. */
    private boolean place(ReplicaClaim lease, DeferredActions after) {
        Space space = lease.space;
        if (space.lost != null) {
            lease.failure = space.lost;
            return true;
        }
        boolean lacks = space.mostLeases < Integer.MAX_VALUE && lacks(lease);
        if (lacks && space.leases >= space.mostLeases) {
            return false;
        }
        long bytes = 0;
        for (int i = 0; i < lease.replicas.length; i++) {
            Need need = lease.needs.get(i);
            if (need.isNone()) {
                continue;
            }
            Directory directory = store.directory(need.data());
            if (directory.retired && !lease.last) {
                unpin(lease);
                lease.failure = new IllegalStateException("task \"" + lease.task + "\" accesses data \""
                        + need.data().name() + "\", whose memory was given back: free it behind the last run");
                return true;
            }
            Replica known = directory.find(space, lease.room(i), space.usesParts);
            if (known != null && known.leaving) {
                unpin(lease);
                return false;
            }
            lease.replicas[i] = known;
            if (known != null) {
                known.pin();
            } else if (!lease.first.isSame(i, space)) {
                bytes += lease.first.bytes(i, space);
            }
        }
        try {
            if (bytes > 0 && !store.makeRoom(space, bytes, after)) {
                unpin(lease);
                return false;
            }
            for (int i = 0; i < lease.replicas.length; i++) {
                Need need = lease.needs.get(i);
                Replica its = lease.replicas[i];
                if (its != null) {
                    store.used(its);
                } else if (!need.isNone()) {
                    Box room = lease.room(i);
                    Replica known = store.directory(need.data()).find(space, room, space.usesParts);
                    its = known == null ? store.allocate(space, need.within(room)) : known;
                    its.pin();
                    lease.replicas[i] = its;
                }
            }
            lease.placed = true;
            placed++;
            adders.began(lease);
            lease.counts = lacks;
            space.leases += lacks ? 1 : 0;
        } catch (RuntimeException | OutOfMemoryError e) {
            unpin(lease);
            lease.failure = e;
            if (e instanceof DeviceLostException lost) {
                losses.lose(space, lost, after);
            }
        }
        return true;
    }

    /** Returns true if something has to be brought, or made. */
    private boolean lacks(ReplicaClaim lease) {
        for (Need need : lease.needs) {
            if (need.isNone()) {
                continue;
            }
            Directory directory = store.directory(need.data());
            Replica known = directory.find(lease.space, need.box(), false);
            if (known == null || (need.reads() && !directory.isValid(need.box(), known))) {
                return true;
            }
        }
        return false;
    }

    private static void unpin(ReplicaClaim lease) {
        for (int i = 0; i < lease.replicas.length; i++) {
            Replica replica = lease.replicas[i];
            if (replica != null) {
                replica.unpin();
                lease.replicas[i] = null;
            }
        }
    }

    private void advance(Space space, DeferredActions after) {
        for (ReplicaClaim lease = space.line.peek(); lease != null; lease = space.line.peek()) {
            if (adders.holdBack(lease, store)) {
                space.line.remove(lease);
                continue;
            }
            if (!place(lease, after)) {
                return;
            }
            space.line.remove(lease);
            if (lease.failure == null) {
                supply.fetch(lease, after);
            }
            lease.goOn(after);
        }
    }

    /** Fails leases that wait for room where nothing moves and no lease can give replicas back. */
    private void unlessStuck(DeferredActions after) {
        while (store.moving == 0 && !recoveries.any() && placed == supply.starved()) {
            ReplicaClaim starved = supply.takeStarved();
            ReplicaClaim lease = starved == null ? firstInLine() : starved;
            if (lease == null) {
                return;
            }
            lease.failure = new IllegalStateException(
                    "task \"" + lease.task + "\" finds no room for its data: "
                            + lease.space
                            + " may hold " + lease.space.limit + " bytes of replicas and holds " + lease.space.used
                            + ", host memory "
                            + store.host.limit + " and " + store.host.used
                            + store.backingText()
                            + "; what is there is the only copy, and has nowhere to go",
                    store.failure());
            lease.goOn(after);
        }
    }

    private @Nullable ReplicaClaim firstInLine() {
        ReplicaClaim first = store.host.line.poll();
        for (int i = 0; i < store.devices.size() && first == null; i++) {
            first = store.devices.get(i).line.poll();
        }
        return first;
    }
}
