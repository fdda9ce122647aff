package dev.jacquard.memory.coherence;

import dev.jacquard.memory.device.DeviceLostException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The recomputations in progress, one for each write that a lease needs and no replica has. Each runs on a thread of
 * its own, since it does one thing after the other and waits for each.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 */
final class RecomputationQueue {
    private final Coherence coherence;
    private final Lineage lineage;
    private final FaultLog faults;
    private final BlockingThreads threads;
    private final List<Recovery> running = new ArrayList<>(0);

    RecomputationQueue(Coherence coherence, Lineage lineage, FaultLog faults, BlockingThreads threads) {
        this.coherence = coherence;
        this.lineage = lineage;
        this.faults = faults;
        this.threads = threads;
    }

    boolean any() {
        return !running.isEmpty();
    }

    /**
     * Lets {@code lease} wait until {@code atom}, which it reads and no replica has, is there again; or fails the lease
     * with the reason why that cannot be.
     */
    void request(ReplicaClaim lease, Atom atom, Directory directory, DeferredActions after) {
        Piece lost = atom.piece();
        if (lost.version() == 0) {
            lease.failure = new IllegalStateException("task \"" + lease.task + "\" reads " + directory.data.name()
                    + atom.box + ", which nobody has written"
                    + (directory.wasReleased ? " since it was released" : ""));
            return;
        }
        Recovery known = known(lost.version());
        if (known == null) {
            RecomputationPlan plan = new RecomputationPlan(lineage, lost, directory);
            if (plan.impossible != null) {
                lease.failure = loss(lease, lost, directory, plan.impossible, null);
                directory.lossTold(lost);
                return;
            }
            Recovery made = new Recovery(coherence, plan, lost, directory);
            made.read().forEach(Replica::freeze);
            running.add(made);
            after.then(() -> threads.start("jacquard-recomputation", made::run));
            known = made;
        }
        if (!known.waiting.contains(lease)) {
            known.waiting.add(lease);
            lease.missing++;
        }
    }

    private @Nullable Recovery known(long version) {
        for (Recovery recovery : running) {
            if (recovery.lost.version() == version) {
                return recovery;
            }
        }
        return null;
    }

    /** Ends a recomputation. By its thread. */
    void recovered(Recovery recovery, @Nullable Throwable error) {
        coherence.runner.changed(after -> {
            over(recovery, error, after);
            coherence.lock.notifyAll(); // threads that free what it has read
        });
    }

    private void over(Recovery recovery, @Nullable Throwable error, DeferredActions after) {
        running.remove(recovery);
        recovery.read().forEach(Replica::thaw);
        recovery.settleRest();
        boolean another = DeviceLostException.in(error) != null; // there may be another way
        if (error == null) {
            faults.recomputed(recovery.directory.data.name(), recovery.lost, recovery.steps());
        }
        if (error != null && !another && !recovery.waiting.isEmpty()) {
            recovery.directory.lossTold(recovery.lost);
        }
        for (ReplicaClaim lease : recovery.waiting) {
            Throwable told = error == null || another
                    ? null
                    : loss(lease, recovery.lost, recovery.directory, String.valueOf(error.getMessage()), error);
            coherence.supply.oneLess(lease, told, after);
        }
    }

    private static IllegalStateException loss(
            ReplicaClaim lease, Piece lost, Directory directory, String why, @Nullable Throwable error) {
        return new IllegalStateException(
                "task \"" + lease.task + "\" reads " + directory.data.name() + lost.box() + ", as " + lost.by()
                        + " wrote it, and that is lost: the memory that had it, or a task that was to write it anew,"
                        + " failed. It cannot be recomputed: " + why,
                error);
    }
}
