package dev.jacquard.memory.coherence;

import dev.jacquard.memory.residency.DataClaim;
import java.util.List;

/**
 * Begins and ends leases, and numbers what their tasks write.
 *
 * <p>Threads: any; takes the lock of the {@link Coherence} itself.
 */
final class Leases {
    private final Object lock;
    private final Admission admission;
    private final Lineage lineage;
    private final Forecast forecast;
    private final Prefetcher prefetcher;
    private final TransferRunner runner;
    /** The number of the newest write; 1 is what users' arrays had at first. Guarded by the lock. */
    private long version = 1;

    Leases(
            Object lock,
            Admission admission,
            Lineage lineage,
            Forecast forecast,
            Prefetcher prefetcher,
            TransferRunner runner) {
        this.lock = lock;
        this.admission = admission;
        this.lineage = lineage;
        this.forecast = forecast;
        this.prefetcher = prefetcher;
        this.runner = runner;
    }

    /** Begins the claim of a planned task, where it was to be or where it went instead. Under the lock. */
    private void begun(AccessPlan plan, Space where, DeferredActions after) {
        if (plan.space != where) {
            forecast.remove(plan);
            prefetcher.move(plan, where, after);
            forecast.add(plan);
        }
        plan.released = false;
        prefetcher.begun(plan);
    }

    boolean begin(ReplicaClaim lease, Runnable goOn) {
        DeferredActions after = new DeferredActions();
        boolean there;
        synchronized (lock) {
            lease.then = goOn;
            if (lease.plan != null) {
                begun(lease.plan, lease.space, after);
            }
            admission.enter(lease, after);
            // Without one another thread goes on with it already, and must do so alone.
            there = lease.then != null && (lease.failure != null || (lease.placed && lease.missing == 0));
            if (there) {
                lease.then = null;
            }
        }
        runner.perform(after);
        return there;
    }

    void release(ReplicaClaim lease, boolean well) {
        DeferredActions after = new DeferredActions();
        synchronized (lock) {
            if (lease.plan != null) {
                lease.plan.released = true;
            }
            version++;
            if (well && lease.placed && lease.recipe != null) {
                lineage.add(version, lease, lease.recipe);
            }
            admission.commits.leave(lease, well, version);
            admission.advance(after);
        }
        runner.perform(after);
    }

    /** Takes back a lease, as {@link DataClaim#release(boolean, List)} says. */
    void release(ReplicaClaim lease, boolean all, List<DataClaim.Share> begun) {
        runner.changed(after -> admission.commits.leave(lease, all, begun, ++version));
    }

    /** Leaves a lease only {@code left} from now on. Returns what is to be done without locks. */
    Runnable demote(ReplicaClaim lease, List<Need> left) {
        DeferredActions after = new DeferredActions();
        synchronized (lock) {
            version++;
            admission.commits.demote(lease, left, version);
            admission.advance(after);
        }
        return () -> runner.perform(after);
    }
}
