package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Data;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Brings contents to users' arrays that are newer elsewhere, when no task will do so any more. Contents lost with a
 * device are computed again where that can be; a failure that a task has reported is not reported again.
 *
 * <p>Confined, except for guarded fields, to one thread, which waits, also when it is interrupted.
 */
final class Homecoming {
    private final Coherence coherence;
    private final Store store;
    private final List<ReplicaClaim> claims = new ArrayList<>();
    /** The claims for which all is there, or cannot be. Guarded by this. */
    private final Set<ReplicaClaim> there = new HashSet<>();

    Homecoming(Coherence coherence, Store store) {
        this.coherence = coherence;
        this.store = store;
    }

    /** Data with a home, of which something may be elsewhere. Under the lock. */
    Set<Data> strays() {
        Set<Data> all = new LinkedHashSet<>();
        for (DeviceSpace device : store.devices) {
            for (Replica replica : device.residents().all()) {
                Data data = replica.directory.data;
                if (data.home() != null && !data.isFreed()) {
                    all.add(data);
                }
            }
        }
        return all;
    }

    /** Takes note of the parts to be brought of {@code data}, which may have no home. Under the lock. */
    void add(Data data) {
        if (data.home() == null) {
            return;
        }
        Directory directory = store.directory(data);
        Replica home = Objects.requireNonNull(directory.find(store.host, data.box(), true));
        List<DataNeed> needs = new ArrayList<>();
        for (Atom atom : directory.meeting(data.box())) {
            boolean told = atom.valid.isEmpty() && atom.lossTold;
            if (atom.version > 0 && !atom.valid.contains(home) && !told) {
                needs.add(new DataNeed(data, atom.box, true, false));
            }
        }
        if (!needs.isEmpty()) {
            ReplicaClaim claim = new ReplicaClaim(
                    coherence, "bring " + data.name() + " home", store.host, DataNeeds.apart(needs), null, false);
            claim.last = true;
            claims.add(claim);
        }
    }

    /** Brings all, and waits for it. Without the lock. Returns the reasons why parts could not be brought. */
    List<Throwable> await() {
        for (ReplicaClaim claim : claims) {
            if (claim.begin(() -> isThere(claim))) {
                isThere(claim);
            }
        }
        List<Throwable> failures = new ArrayList<>();
        for (ReplicaClaim claim : claims) {
            if (!await(claim)) {
                failures.add(new IllegalStateException(claim.task
                        + ": its copy may never end, since something broke off half way, for want of stack or memory"));
                continue;
            }
            Throwable failure = claim.failure();
            if (failure != null) {
                failures.add(failure);
            }
            claim.release(failure == null);
        }
        return failures;
    }

    /** Any thread. */
    private synchronized void isThere(ReplicaClaim claim) {
        there.add(claim);
        notifyAll();
    }

    /** Waits for a claim; returns false if it may never be there. */
    private synchronized boolean await(ReplicaClaim claim) {
        coherence.broken.await(this, () -> there.contains(claim));
        return there.contains(claim);
    }
}
