package dev.jacquard.memory.coherence;

import dev.jacquard.memory.coherence.Coherence.BlockingThreads;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.DeviceLostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The recomputations in progress, one for each write that a claim needs and no replica has. Each runs on its own
 * thread, since it does one thing after the other and waits for each.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 */
final class RecomputationQueue {
    private final Coherence coherence;
    private final Lineage lineage;
    private final FaultLog faults;
    private final BlockingThreads threads;
    private final List<Recovery> running = new ArrayList<>(0);
    /** The number of recomputations that have begun and are not over. Changed by their threads. */
    private final AtomicInteger begun = new AtomicInteger();

    RecomputationQueue(Coherence coherence, Lineage lineage, FaultLog faults, BlockingThreads threads) {
        this.coherence = coherence;
        this.lineage = lineage;
        this.faults = faults;
        this.threads = threads;
    }

    boolean any() {
        return !running.isEmpty();
    }

    /** Returns true if any has begun and is not over. Any thread. */
    boolean haveBegun() {
        return begun.get() > 0;
    }

    /** Returns true if a part of {@code data} is being recomputed. */
    boolean areOf(Data data) {
        for (Recovery recovery : running) {
            if (recovery.directory.data == data) {
                return true;
            }
        }
        return false;
    }

    /**
     * Lets {@code claim} wait until {@code atom}, which it reads and no replica has, is there again; or fails the claim
     * with the reason why that cannot be.
     */
    void request(ReplicaClaim claim, Atom atom, Directory directory, DeferredActions after) {
        Piece lost = atom.piece();
        if (lost.version() == 0) {
            claim.failure = new IllegalStateException("task \"" + claim.task + "\" reads " + directory.data.name()
                    + atom.box + ", which no task has written"
                    + (directory.wasReleased ? " since it was released" : ""));
            return;
        }
        Recovery known = known(lost.version());
        if (known == null) {
            RecomputationPlan plan = new RecomputationPlan(lineage, lost, directory);
            if (plan.impossible != null) {
                claim.failure = loss(claim, lost, directory, plan.impossible, null);
                directory.lossTold(lost);
                return;
            }
            Recovery made = new Recovery(coherence, plan, lost, directory);
            made.read().forEach(Replica::freeze);
            running.add(made);
            after.then(() -> threads.start("jacquard-recomputation", () -> run(made)));
            known = made;
        }
        if (!known.waiting.contains(claim)) {
            known.waiting.add(claim);
            claim.missing++;
        }
    }

    /** By the thread of a recomputation. */
    private void run(Recovery recovery) {
        begun.incrementAndGet();
        try {
            recovery.run();
        } finally {
            begun.decrementAndGet();
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
            coherence.lock.notifyAll(); // threads that free data that it has read
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
        for (ReplicaClaim claim : recovery.waiting) {
            Throwable told = error == null || another
                    ? null
                    : loss(claim, recovery.lost, recovery.directory, String.valueOf(error.getMessage()), error);
            coherence.supply.oneLess(claim, told, after);
        }
    }

    private static IllegalStateException loss(
            ReplicaClaim claim, Piece lost, Directory directory, String why, @Nullable Throwable error) {
        return new IllegalStateException(
                "task \"" + claim.task + "\" begins with " + directory.data.name() + lost.box() + ", as " + lost.by()
                        + " wrote it, and that is lost: the memory that had it failed, or a task that was to write it"
                        + " did. It cannot be recomputed: " + why,
                error);
    }
}
