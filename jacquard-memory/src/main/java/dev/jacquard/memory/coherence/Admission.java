package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.device.DeviceLostException;
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
    private final LostDevices losses;
    private final Adders adders = new Adders();
    /** The number of leases that have replicas. */
    private int placed;
    /** The pins of launches that devices are told ahead. */
    final EarlyPins early;
    /** The ends of leases. */
    final Commits commits;

    Admission(
            Store store, Fetcher supply, RecomputationQueue recoveries, RetrySnapshot safekeeping, LostDevices losses) {
        this.store = store;
        this.supply = supply;
        this.recoveries = recoveries;
        this.losses = losses;
        this.early = new EarlyPins(store, this);
        this.commits = new Commits(store, this, adders, safekeeping);
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
        long bytes = pinKnown(lease);
        if (bytes < 0) {
            unpin(lease);
            return lease.failure != null;
        }
        try {
            if (bytes > 0 && !store.eviction.makeRoom(space, bytes, after)) {
                unpin(lease);
                return false;
            }
            allocateRest(lease);
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

    /**
     * Pins the replicas that are there.
     *
     * @return the number of bytes that the other replicas take; -1 when the lease has to wait for one that leaves, or
     *     fails
     */
    private long pinKnown(ReplicaClaim lease) {
        Space space = lease.space;
        long bytes = 0;
        for (int i = 0; i < lease.replicas.length; i++) {
            Need need = lease.needs.get(i);
            if (need.isNone()) {
                continue;
            }
            Directory directory = store.directory(need.data());
            if (directory.retired && !lease.last) {
                lease.failure = new IllegalStateException("task \"" + lease.task + "\" accesses data \""
                        + need.data().name() + "\", whose memory was given back: free it behind the last run");
                return -1;
            }
            Replica known = directory.find(space, lease.room(i), space.usesParts);
            if (known != null && known.leaving) {
                return -1;
            }
            lease.replicas[i] = known;
            if (known != null) {
                known.pin();
            } else if (!lease.first.isSame(i, space)) {
                bytes += lease.first.bytes(i, space);
            }
        }
        return bytes;
    }

    /** Pins replicas where none was there, for which there is room. */
    private void allocateRest(ReplicaClaim lease) {
        Space space = lease.space;
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
