package dev.jacquard.memory.coherence;

import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.memory.residency.Continuation;
import dev.jacquard.memory.residency.DataClaim;
import java.util.List;

/**
 * Begins and ends claims, and numbers the writes of their tasks.
 *
 * <p>Threads: any; takes the lock of the {@link Coherence} itself.
 */
final class ReplicaClaims {
    private final Object lock;
    private final Admission admission;
    private final Lineage lineage;
    private final Forecast forecast;
    private final Prefetcher prefetcher;
    private final TransferRunner runner;
    /** Where work that breaks off half way is noted. */
    private final Breakage broken;
    /** The claims that rest. */
    final RestingClaims resting;
    /** The number of the newest write; 1 stands for the first contents of users' arrays. Guarded by the lock. */
    private long version = 1;

    ReplicaClaims(
            Object lock,
            Admission admission,
            Lineage lineage,
            Forecast forecast,
            Prefetcher prefetcher,
            TransferRunner runner,
            Breakage broken) {
        this.lock = lock;
        this.admission = admission;
        this.lineage = lineage;
        this.forecast = forecast;
        this.prefetcher = prefetcher;
        this.runner = runner;
        this.broken = broken;
        this.resting = new RestingClaims(admission, claim -> admission.commits.leave(claim, true, ++version));
    }

    /** Lets a claim rest for the first time; false when it must be released. */
    boolean rest(ReplicaClaim claim) {
        synchronized (lock) {
            return resting.begin(claim);
        }
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

    boolean begin(ReplicaClaim claim, Continuation goOn) {
        DeferredActions after = new DeferredActions();
        try {
            boolean there;
            synchronized (lock) {
                there = begin(claim, goOn, after);
            }
            runner.perform(after);
            return there;
        } catch (Error e) {
            broken.by = e;
            throw e;
        }
    }

    /** Begins a claim. Under the lock. */
    private boolean begin(ReplicaClaim claim, Continuation goOn, DeferredActions after) {
        claim.then = goOn;
        resting.recall(claim.needs);
        if (claim.plan != null) {
            begun(claim.plan, claim.space, after);
        }
        admission.enter(claim, after);
        if (!isThere(claim) && claim.then != null && resting.recallAll()) {
            admission.advance(after);
        }
        if (claim.isUnwanted()) { // a cancel looked before the claim was in line
            admission.endUnwantedWaits(after);
            admission.advance(after);
        } else if (claim.isDivisible() && !isThere(claim)) {
            admission.advance(after);
        }
        boolean there = isThere(claim);
        if (there) {
            claim.then = null;
        } else if (claim.then != null) {
            resting.waits(claim, true);
        }
        return there;
    }

    /** Ends the waits for room of claims that are not wanted any more. */
    void endUnwantedWaits() {
        runner.changed(admission::endUnwantedWaits);
    }

    private static boolean isThere(ReplicaClaim claim) {
        // Without one another thread goes on with it already, and must do so alone.
        return claim.then != null && (claim.failure != null || (claim.placed && claim.missing == 0));
    }

    void release(ReplicaClaim claim, boolean well) {
        DeferredActions after = new DeferredActions();
        try {
            synchronized (lock) {
                resting.forget(claim);
                if (claim.plan != null) {
                    claim.plan.released = true;
                }
                version++;
                if (well && claim.placed && claim.recipe != null) {
                    lineage.add(version, claim, claim.recipe);
                }
                admission.commits.leave(claim, well, version);
                admission.advance(after);
            }
            runner.perform(after);
        } catch (Error e) {
            broken.by = e;
            throw e;
        }
    }

    /** Takes back a claim, as {@link DataClaim#release(boolean, List)} says. */
    void release(ReplicaClaim claim, boolean all, List<DataClaim.Share> begun) {
        runner.changed(after -> {
            resting.forget(claim);
            if (claim.plan != null) {
                claim.plan.released = true;
            }
            admission.commits.leave(claim, all || claim.use != ReplicaClaim.Use.ONCE, begun, ++version);
        });
    }

    /** Leaves a claim only {@code left} from now on. Returns the work that is to be done without locks. */
    Runnable demote(ReplicaClaim claim, List<DataNeed> left) {
        DeferredActions after = new DeferredActions();
        synchronized (lock) {
            version++;
            admission.commits.demote(claim, left, version);
            admission.advance(after);
        }
        return () -> runner.perform(after);
    }
}
