package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.device.DeviceLostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Gives claims their replicas, all of them or none, first come, first served per memory; takes them back.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 */
final class Admission {
    private final Store store;
    private final Fetcher supply;
    private final RecomputationQueue recoveries;
    private final LostDevices losses;
    private final IdleQuestion idle;
    private final Overtaking overtaking;
    private final Adders adders = new Adders();
    /** The number of claims that have replicas. */
    private int placed;
    /** The pins of launches that are enqueued early. */
    final EarlyPins early;
    /** The ends of claims. */
    final Commits commits;

    Admission(
            Store store,
            Fetcher supply,
            RecomputationQueue recoveries,
            RetrySnapshot safekeeping,
            LostDevices losses,
            IdleQuestion idle) {
        this.store = store;
        this.supply = supply;
        this.recoveries = recoveries;
        this.losses = losses;
        this.idle = idle;
        this.overtaking = new Overtaking(store, this);
        this.early = new EarlyPins(store, this);
        this.commits = new Commits(store, this, adders, safekeeping);
    }

    /** Notes that {@code more} claims more have replicas, or fewer. */
    void placed(int more) {
        placed += more;
    }

    /** Gives the claim its replicas and begins to bring their missing data, or lets it wait for its turn. */
    void enter(ReplicaClaim claim, DeferredActions after) {
        store.tryAgain();
        if (claim.ahead != null) {
            adopt(claim, claim.ahead, after);
        } else if (adders.holdBack(claim, store)) {
            // goes on when the tasks that add elsewhere are over
        } else if (!claim.space.line.isEmpty() || !place(claim, after)) {
            claim.space.line.add(claim);
            overtaking.cameIntoLine(claim);
        } else if (claim.failure == null) {
            supply.fetch(claim, after);
        }
        unlessStuck(after);
        idle.changed();
    }

    /** Returns how often a task that adds was held against others so far. For tests. */
    long looksAtAdders() {
        return adders.looks();
    }

    /** The task is ready, and gets the replicas that its enqueued work uses. It waits for no room. */
    private void adopt(ReplicaClaim claim, AheadLaunch ahead, DeferredActions after) {
        if (claim.space.lost != null) {
            claim.failure = claim.space.lost;
            return;
        }
        for (int i = 0; i < claim.replicas.length; i++) {
            claim.memoryOf(i).pin();
        }
        placed++;
        claim.placed = true;
        adders.began(claim);
        ahead.claimed = true;
        if (!ahead.inFlight) {
            early.letGo(claim);
        }
        supply.fetch(claim, after);
    }

    /** Lets the claims that wait try again, since something was given back. */
    void advance(DeferredActions after) {
        tryAll(after);
        unlessStuck(after);
        idle.changed();
    }

    private void tryAll(DeferredActions after) {
        supply.tryStarved(after);
        do {
            adders.next(store).forEach(claim -> claim.space.line.add(claim));
            advance(store.host, after);
            for (DeviceSpace device : store.devices) {
                advance(device, after);
            }
        } while (adders.anyLeft()); // a claim is held back again where another one has begun: that ends
    }

    /** Gives the claim a replica for each need that is not given up, or none; false when it has to wait for room. */
    private boolean place(ReplicaClaim claim, DeferredActions after) {
        Space space = claim.space;
        if (space.lost != null) {
            claim.failure = space.lost;
            return true;
        }
        boolean lacks = space.mostClaims < Integer.MAX_VALUE && lacks(claim);
        if (lacks && space.claims >= space.mostClaims) {
            return false;
        }
        long bytes = pinKnown(claim);
        if (bytes < 0) {
            unpin(claim);
            return claim.failure != null;
        }
        try {
            if (bytes > 0 && !store.eviction.makeRoom(space, bytes, after)) {
                unpin(claim);
                return false;
            }
            allocateRest(claim);
            claim.placed = true;
            placed++;
            adders.began(claim);
            claim.counts = lacks;
            space.claims += lacks ? 1 : 0;
        } catch (RuntimeException | OutOfMemoryError e) {
            unpin(claim);
            claim.failure = e;
            if (e instanceof DeviceLostException lost) {
                losses.lose(space, lost, after);
            }
        }
        return true;
    }

    /**
     * Pins the replicas that are there.
     *
     * @return the number of bytes that the other replicas take; -1 when the claim has to wait for one that leaves, or
     *     fails
     */
    private long pinKnown(ReplicaClaim claim) {
        Space space = claim.space;
        long bytes = 0;
        for (int i = 0; i < claim.replicas.length; i++) {
            DataNeed need = claim.needs.get(i);
            if (need.isNone()) {
                continue;
            }
            Directory directory = store.directory(need.data());
            if (directory.retired && !claim.last) {
                claim.failure = new IllegalStateException("task \"" + claim.task + "\" accesses data \""
                        + need.data().name() + "\", which was freed: free it after the last run");
                return -1;
            }
            Replica known = directory.find(space, claim.room(i), space.usesParts);
            if (known != null && known.leaving) {
                return -1;
            }
            claim.replicas[i] = known;
            if (known != null) {
                known.pin();
            } else if (!claim.first.isSame(i, space)) {
                bytes += claim.first.bytes(i, space);
            }
        }
        return bytes;
    }

    /** Pins replicas where none was there, for which there is room. */
    private void allocateRest(ReplicaClaim claim) {
        Space space = claim.space;
        for (int i = 0; i < claim.replicas.length; i++) {
            DataNeed need = claim.needs.get(i);
            Replica its = claim.replicas[i];
            if (its != null) {
                store.used(its);
            } else if (!need.isNone()) {
                Box room = claim.room(i);
                Replica known = store.directory(need.data()).find(space, room, space.usesParts);
                its = known == null ? store.allocate(space, need.within(room)) : known;
                its.pin();
                claim.replicas[i] = its;
            }
        }
    }

    /** Returns true if something has to be brought, or made. */
    private boolean lacks(ReplicaClaim claim) {
        for (DataNeed need : claim.needs) {
            if (need.isNone()) {
                continue;
            }
            Directory directory = store.directory(need.data());
            Replica known = directory.find(claim.space, need.box(), false);
            if (known == null || (need.reads() && !directory.isValid(need.box(), known))) {
                return true;
            }
        }
        return false;
    }

    private static void unpin(ReplicaClaim claim) {
        for (int i = 0; i < claim.replicas.length; i++) {
            Replica replica = claim.replicas[i];
            if (replica != null) {
                replica.unpin();
                claim.replicas[i] = null;
            }
        }
    }

    private void advance(Space space, DeferredActions after) {
        for (ReplicaClaim claim = space.line.peek(); claim != null; claim = space.line.peek()) {
            if (!goesOn(claim, after)) {
                if (store.moving > 0 || !claim.isDivisible()) {
                    return;
                }
                claim.failure = new IllegalStateException("others have the room for all data of \"" + claim.task + '"');
                leavesLine(claim, after);
            }
        }
    }

    /** Takes a claim out of its line, with its replicas or a failure; false when it has to wait for room. */
    boolean goesOn(ReplicaClaim claim, DeferredActions after) {
        if (adders.holdBack(claim, store)) {
            claim.space.line.remove(claim);
            return true;
        }
        if (!place(claim, after)) {
            return false;
        }
        leavesLine(claim, after);
        return true;
    }

    private void leavesLine(ReplicaClaim claim, DeferredActions after) {
        claim.space.line.remove(claim);
        if (claim.failure == null) {
            supply.fetch(claim, after);
        }
        claim.goOn(after);
    }

    /**
     * Where nothing moves and no claim can give replicas back, lets claims that wait for room go back into line, so
     * that one that is left has the room of the others, or one overtakes others that needs no more room. If the engine
     * is idle too, lets any overtake for which there is room, or fails one.
     */
    private void unlessStuck(DeferredActions after) {
        while (store.moving == 0 && !recoveries.any() && placed == supply.starved()) {
            if (goesBack()) {
                supply.tryStarved(after);
                continue;
            }
            if (waiting() == 0) { // as after most releases
                overtaking.forget();
                return;
            }
            if (pressesOn(after) || letsWholesGo(after)) {
                continue;
            }
            if (overtaking.byWhoNeedsNoRoom(after)) {
                continue;
            }
            if (!idle.isAnswered(after)) {
                return;
            }
            if (overtaking.byAny(after)) {
                continue;
            }
            ReplicaClaim starved = supply.takeStarved();
            ReplicaClaim claim = starved == null ? Objects.requireNonNull(firstInLine()) : starved;
            claim.failure = NoRoom.failure(store, claim, starved == null ? null : supply.tooLargeForHost(claim));
            claim.goOn(after);
        }
    }

    /** Lets the claims that wait for room go on, and fail, that are not wanted any more. */
    void endUnwantedWaits(DeferredActions after) {
        List<ReplicaClaim> ended = new ArrayList<>();
        Predicate<ReplicaClaim> ends = claim -> claim.isUnwanted() && ended.add(claim);
        store.host.line.removeIf(ends);
        store.devices.forEach(device -> device.line.removeIf(ends));
        supply.removeStarved(ends);
        for (ReplicaClaim claim : ended) {
            claim.failure =
                    new CancellationException("task \"" + claim.task + "\" was given up while it waited for room");
            claim.goOn(after);
        }
    }

    /** Reports the claims that wait for room, and the memory that is full. */
    void eachWaiting(BiConsumer<ReplicaClaim, String> told) {
        List<ReplicaClaim> waiting = new ArrayList<>(store.host.line);
        store.devices.forEach(device -> waiting.addAll(device.line));
        waiting.addAll(supply.allStarved());
        for (ReplicaClaim claim : waiting) {
            told.accept(
                    claim,
                    claim.space + " may hold " + claim.space.limit + " bytes of replicas and holds "
                            + claim.space.used);
        }
    }

    /** Lets the claims that wait try again, with less regard for data in spaces farther away; true if one does. */
    private boolean pressesOn(DeferredActions after) {
        int before = waiting();
        store.eviction.press(() -> tryAll(after));
        return store.moving > 0 || waiting() < before;
    }

    /**
     * Lets replicas go of which the first claim in a line needs parts alone, and for the whole of which there is no
     * room in addition to the rest that the claim needs; true if one goes.
     */
    private boolean letsWholesGo(DeferredActions after) {
        boolean any = letsWholesGo(store.host, after);
        for (DeviceSpace device : store.devices) {
            any |= letsWholesGo(device, after);
        }
        if (any) {
            tryAll(after);
        }
        return any;
    }

    private boolean letsWholesGo(Space space, DeferredActions after) {
        ReplicaClaim claim = space.line.peek();
        boolean any = false;
        for (int i = 0; claim != null && i < claim.replicas.length; i++) {
            DataNeed need = claim.needs.get(i);
            Replica known =
                    need.isNone() ? null : store.directory(need.data()).find(space, claim.room(i), space.usesParts);
            any |= known != null
                    && !known.isHome()
                    && !known.box.equals(claim.room(i))
                    && store.eviction.letGo(known, after);
        }
        return any;
    }

    /** Returns the number of claims that wait for room. */
    private int waiting() {
        int waiting = supply.starved() + store.host.line.size();
        for (DeviceSpace device : store.devices) {
            waiting += device.line.size();
        }
        return waiting;
    }

    /**
     * Takes its replicas from the last of several claims that wait for more, and puts it in line again.
     *
     * @return false if there are not several, or an enqueued kernel uses their replicas
     */
    private boolean goesBack() {
        ReplicaClaim claim = placed > 1 ? supply.takeLastStarved() : null;
        if (claim == null) {
            return false;
        }
        for (int i = 0; i < claim.replicas.length; i++) {
            if (claim.replicas[i] != null && claim.needs.get(i).writes()) {
                claim.directory(i).cut(claim.needs.get(i).box()).forEach(atom -> atom.beingWritten = false);
            }
        }
        commits.goesBack(claim);
        unpin(claim);
        claim.placed = false;
        claim.space.line.add(claim);
        return true;
    }

    private @Nullable ReplicaClaim firstInLine() {
        ReplicaClaim first = store.host.line.poll();
        for (int i = 0; i < store.devices.size() && first == null; i++) {
            first = store.devices.get(i).line.poll();
        }
        return first;
    }
}
