package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Brings missing data to replicas: from where it is soonest, by way of the host where there is no path between two
 * spaces, and from a recomputation where no replica has it.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 */
final class Fetcher {
    private final Store store;
    private final HostSpace host;
    private final RecomputationQueue recoveries;
    private final RetrySnapshot safekeeping;

    /** The claims with replicas for which something cannot pass through the host yet, or is in use. */
    private final List<ReplicaClaim> starved = new ArrayList<>();

    Fetcher(Store store, RecomputationQueue recoveries, RetrySnapshot safekeeping) {
        this.store = store;
        this.host = store.host;
        this.recoveries = recoveries;
        this.safekeeping = safekeeping;
    }

    /** Begins to bring the data that the claim's replicas lack. */
    void fetch(ReplicaClaim claim, DeferredActions after) {
        if (store.watchesHomes) {
            lookAtHomes(claim);
        }
        boolean anyThroughHost = false;
        for (int i = 0; i < claim.replicas.length; i++) {
            DataNeed need = claim.needs.get(i);
            Replica to = claim.replicas[i];
            if (to == null) {
                continue; // given up
            }
            for (Atom atom : to.directory.cut(need.box())) {
                boolean without = atom.isUnwritten() && claim.first.isLenient(i);
                if (need.reads() && !atom.valid.contains(to) && !without) {
                    if (isThroughHost(atom, to)) {
                        anyThroughHost = true;
                    } else {
                        awaitCopy(claim, copyTo(claim, atom, to, after));
                    }
                }
                atom.beingWritten |=
                        need.writes() && !need.reads() && !claim.first.overlap; // else it may be read first
            }
            if (need.writes()) {
                awaitCopy(claim, to.directory.writingInto(to, need.box()));
                awaitCopy(claim, to.directory.readingFrom(to, need.box()));
            }
        }
        if (anyThroughHost) {
            fetchThroughHost(claim, after);
        }
        if (claim.missing == 0 && claim.failure == null && claim.restorable) {
            safekeeping.keep(claim, this, after);
        }
        if (claim.missing == 0 && claim.failure == null) {
            settle(claim);
        }
    }

    /**
     * Brings data nearer that has to pass through the host. After the copies of data that is there already: room for
     * one piece would be made where another one of the same task is, for ever.
     */
    private void fetchThroughHost(ReplicaClaim claim, DeferredActions after) {
        for (int i = 0; i < claim.replicas.length; i++) {
            Replica to = claim.replicas[i];
            if (to != null && claim.needs.get(i).reads()) {
                for (Atom atom : to.directory.cut(claim.needs.get(i).box())) {
                    if (!atom.valid.contains(to) && isThroughHost(atom, to)) {
                        awaitCopy(claim, copyTo(claim, atom, to, after));
                    }
                }
            }
        }
    }

    /**
     * Returns a need that the claim reads and that has to pass through a host that could not hold it if it were empty;
     * null when there is none.
     */
    @Nullable
    DataNeed tooLargeForHost(ReplicaClaim claim) {
        for (int i = 0; i < claim.replicas.length; i++) {
            Replica to = claim.replicas[i];
            if (to != null && claim.needs.get(i).reads()) {
                for (Atom atom : to.directory.cut(claim.needs.get(i).box())) {
                    DataNeed piece = new DataNeed(to.directory.data, atom.box, true, false);
                    if (!atom.valid.contains(to) && isThroughHost(atom, to) && host.bytes(piece) > host.limit) {
                        return piece;
                    }
                }
            }
        }
        return null;
    }

    private boolean isThroughHost(Atom atom, Replica to) {
        Replica from = to.space.lost == null && to.directory.writingInto(to, atom.box) == null
                ? nearest(atom, to.directory.data, to.space)
                : null;
        return from != null && from.space.pathTo(to.space) == null;
    }

    /**
     * In checking mode: fails the claim when a user's array has changed since, and lets a task on the host write it.
     */
    private static void lookAtHomes(ReplicaClaim claim) {
        String who = "task \"" + claim.task + '"';
        for (int i = 0; i < claim.replicas.length; i++) {
            Replica to = claim.replicas[i];
            HomeChecksum watch = to == null ? null : to.directory.watch;
            if (watch == null) {
                continue;
            }
            DataNeed need = claim.needs.get(i);
            if (need.beside() == DataNeed.Beside.STRANGERS && !need.writes()) {
                continue; // given up, or not watched, or others may write other elements of it
            }
            Box box = need.box();
            String changed = watch.changed(box, who);
            if (changed != null) {
                claim.failure = new ChangedHomeException(watch, changed);
            } else if (!watch.isInFlux(box)) {
                watch.sawFirst(box, who);
            }
        }
        for (int i = 0; i < claim.replicas.length; i++) { // last: the task may also read data that it writes
            Replica to = claim.replicas[i];
            if (to != null
                    && to.directory.watch != null
                    && to.isHome()
                    && claim.needs.get(i).writes()) {
                to.directory.watch.forget(claim.needs.get(i).box());
            }
        }
    }

    /** Lets the task run, as all is there, unless a recomputation still reads data that the task is to overwrite. */
    private void settle(ReplicaClaim claim) {
        for (int i = 0; i < claim.replicas.length; i++) {
            if (claim.needs.get(i).writes() && claim.memoryOf(i).frozen > 0) {
                starve(claim);
                return;
            }
        }
        claim.runs = true;
        for (int i = 0; i < claim.replicas.length; i++) {
            DataNeed need = claim.needs.get(i);
            if (need.writes()) {
                Replica replica = claim.memoryOf(i);
                replica.overwrite(need.box());
                replica.written.add(need.box());
                // Not sooner: before all has come, data that a task updates is still read, and must not be dropped.
                replica.directory.cut(need.box()).forEach(atom -> atom.beingWritten = true);
            }
        }
    }

    /** Lets a claim wait until anything is given back. */
    void starve(ReplicaClaim claim) {
        if (!starved.contains(claim)) {
            claim.missing++;
            starved.add(claim);
        }
    }

    void awaitCopy(ReplicaClaim claim, @Nullable Transfer copy) {
        if (copy != null && !copy.waiting.contains(claim)) {
            claim.missing++;
            copy.waiting.add(claim);
        }
    }

    /** The copy that brings {@code atom}, or brings it nearer; null when there is none. */
    private @Nullable Transfer copyTo(ReplicaClaim claim, Atom atom, Replica to, DeferredActions after) {
        if (to.space.lost != null) {
            claim.failure = to.space.lost;
            return null;
        }
        Transfer known = to.directory.writingInto(to, atom.box);
        if (known != null) {
            known.late |= known.ahead && !claim.brings;
            return known; // brings this version, or an older one that must not come after it
        }
        Replica from = nearest(atom, to.directory.data, to.space);
        if (from == null) {
            recoveries.request(claim, atom, to.directory, after);
            return null;
        }
        if (to.frozen > 0) {
            starve(claim);
            return null;
        }
        if (from.space.pathTo(to.space) == null) {
            Replica between = onHost(claim, atom, to.directory, after);
            return between == null ? null : copyTo(claim, atom, between, after);
        }
        Transfer copy = store.start(atom, from, to, after);
        copy.ahead = claim.brings;
        return copy;
    }

    /** Returns the host's replica through which a copy between two devices passes; null when there is no room yet. */
    private @Nullable Replica onHost(ReplicaClaim claim, Atom atom, Directory directory, DeferredActions after) {
        Replica known = directory.find(host, atom.box, true);
        if (known != null) {
            return known;
        }
        DataNeed need = new DataNeed(directory.data, atom.box, true, false);
        try {
            if (store.eviction.makeRoom(host, host.bytes(need), after)) {
                return store.allocate(host, need);
            }
        } catch (RuntimeException | OutOfMemoryError e) {
            claim.failure = e;
            return null;
        }
        starve(claim);
        return null;
    }

    /** Returns the newest replica that is soonest in {@code space}; of equal ones the nearest to computation. */
    private @Nullable Replica nearest(Atom atom, Data data, Space space) {
        if (atom.valid.size() <= 1) {
            return atom.valid.isEmpty() ? null : atom.valid.getFirst();
        }
        Replica best = null;
        double least = 0;
        long bytes = atom.box.elements() * data.layout().type().bytes();
        for (Replica replica : atom.valid) {
            if (replica.space == space) {
                return replica; // crosses no link
            }
            double nanos = store.links.nanos(replica.space, space, bytes);
            if (best == null || nanos < least || (nanos == least && isNearer(replica.space, best.space, space))) {
                best = replica;
                least = nanos;
            }
        }
        return best;
    }

    private static boolean isNearer(Space one, Space other, Space to) {
        boolean reaches = one.pathTo(to) != null;
        return reaches == (other.pathTo(to) != null) ? one.level < other.level : reaches;
    }

    /**
     * Begins to move the data of {@code need}, as far as it is known, and not there or on its way.
     *
     * @return true if anything begins to move
     */
    boolean bringAhead(Directory directory, DataNeed need, Space device, DeferredActions after) {
        Replica to = directory.find(device, need.box(), false);
        boolean useless = to == null
                ? !canBring(directory, need, device)
                : to.leaving || to.frozen > 0 || directory.isValid(need.box(), to);
        if (useless || device.lost != null) {
            return false;
        }
        if (to == null) {
            try {
                if (!store.eviction.makeRoomAhead(device, device.bytes(need))) {
                    return false;
                }
                to = store.allocate(device, need);
            } catch (RuntimeException | OutOfMemoryError e) {
                return false; // the task will run into that itself, and say so
            }
        }
        boolean some = false;
        for (Atom atom : directory.cut(need.box())) {
            Replica from = atom.beingWritten ? null : nearest(atom, need.data(), device);
            if (from != null
                    && !atom.valid.contains(to)
                    && to.isStable(atom.box) // else a kernel is enqueued early to write it, after a cancelled task
                    && from.space.pathTo(device) != null
                    && directory.writingInto(to, atom.box) == null) {
                store.start(atom, from, to, after).ahead = true;
                some = true;
            }
        }
        return some;
    }

    /** Returns true if some of it could be moved to {@code device} at once. */
    private boolean canBring(Directory directory, DataNeed need, Space device) {
        for (Atom atom : directory.meeting(need.box())) {
            Replica from = atom.beingWritten ? null : nearest(atom, need.data(), device);
            if (from != null && from.space.pathTo(device) != null) {
                return true;
            }
        }
        return false;
    }

    /** Notes that a claim waits for one thing less. */
    void oneLess(ReplicaClaim claim, @Nullable Throwable error, DeferredActions after) {
        claim.missing--;
        if (error != null) {
            claim.failure = error;
        } else if (claim.missing == 0 && claim.failure == null) {
            fetch(claim, after);
        }
        claim.goOn(after);
    }

    /** Lets the starved claims try again. */
    void tryStarved(DeferredActions after) {
        List<ReplicaClaim> again = List.copyOf(starved);
        starved.clear();
        for (ReplicaClaim claim : again) {
            oneLess(claim, null, after);
        }
    }

    /** Returns the claims that wait for room though they have replicas. */
    List<ReplicaClaim> allStarved() {
        return List.copyOf(starved);
    }

    /** Removes the claims for which {@code ends} holds. */
    void removeStarved(Predicate<ReplicaClaim> ends) {
        starved.removeIf(claim -> {
            boolean its = ends.test(claim);
            claim.missing -= its ? 1 : 0;
            return its;
        });
    }

    /** Returns the number of claims that wait for room though they have replicas. */
    int starved() {
        return starved.size();
    }

    /** Takes the first of these claims, which does not wait any more; null when there is none. */
    @Nullable
    ReplicaClaim takeStarved() {
        if (starved.isEmpty()) {
            return null;
        }
        ReplicaClaim claim = starved.removeFirst();
        claim.missing--;
        return claim;
    }

    /**
     * Takes the last of these claims with work that is not enqueued on a device; it does not wait any more. Null when
     * there is none.
     */
    @Nullable
    ReplicaClaim takeLastStarved() {
        for (int i = starved.size() - 1; i >= 0; i--) {
            if (starved.get(i).ahead == null) {
                ReplicaClaim claim = starved.remove(i);
                claim.missing--;
                return claim;
            }
        }
        return null;
    }
}
