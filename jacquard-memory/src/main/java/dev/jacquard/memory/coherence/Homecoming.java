package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Data;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * Brings to users' arrays what is newer elsewhere, when no task will do so any more. What a device had that is lost is
 * computed again where that can be; what a task has failed with already is not told again.
 *
 * <p>Confined to one thread, which waits, also when it is interrupted.
 */
final class Homecoming {
    private final Coherence coherence;
    private final Store store;
    private final List<ReplicaClaim> claims = new ArrayList<>();
    private final List<CountDownLatch> there = new ArrayList<>();

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

    /** Takes note of what is to be brought of {@code data}, which may have no home. Under the lock. */
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

    /** Brings all, and waits for it. Without the lock. Returns why what is not there could not be brought. */
    List<Throwable> await() {
        for (ReplicaClaim claim : claims) {
            CountDownLatch latch = new CountDownLatch(1);
            there.add(latch);
            if (claim.begin(latch::countDown)) {
                latch.countDown();
            }
        }
        there.forEach(Homecoming::await);
        List<Throwable> failures = new ArrayList<>();
        for (ReplicaClaim claim : claims) {
            Throwable failure = claim.failure();
            if (failure != null) {
                failures.add(failure);
            }
            claim.release(failure == null);
        }
        return failures;
    }

    private static void await(CountDownLatch latch) {
        boolean interrupted = false;
        for (boolean over = false; !over; ) {
            try {
                latch.await();
                over = true;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
