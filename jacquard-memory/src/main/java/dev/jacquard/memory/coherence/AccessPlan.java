package dev.jacquard.memory.coherence;

import dev.jacquard.memory.residency.DataClaim;
import dev.jacquard.memory.residency.Staging.PlannedAccess;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/**
 * A task that was submitted, or is about to be, and where it will run. Guarded by the lock of the {@link Coherence}.
 */
final class AccessPlan implements PlannedAccess {
    final String task;
    /** The name of its kernel, for the model of times; empty when it runs none. */
    final String kernel;

    /** The space where it is to run; another one when it went on from there. */
    Space space;

    final List<DataNeed> needs;
    private final Coherence coherence;

    /**
     * The time from which other tasks know its output, before they know its place in the order of tasks. It is the
     * number of its first need's write; the other needs' writes have the numbers that follow.
     */
    long announced;
    /** The time when that place was known: each task before it was announced earlier. 0 until then. */
    long ordered;
    /** True once the task claims its data. */
    boolean begun;

    /** True once the task has given back its claim: its output so far is where the directory says. */
    boolean released;

    boolean over;
    /** True while its kernel is enqueued early, before the task is ready: all that it reads is there, or comes. */
    boolean told;
    /** True while something is brought early for it, and so it counts in {@link Prefetcher.Queue}. */
    boolean ahead;
    /**
     * The plans that are looked at again when this one is over: it writes data that they read, and is the last before
     * them that does.
     */
    final SequencedSet<AccessPlan> followers = new LinkedHashSet<>(0);
    /** The time that it is expected to run, in nanoseconds. */
    double expectedNanos;
    /** The time when it is expected to be over, by the session's clock. */
    double expectedEnd;
    /** The time that its device is expected to take for all that it was ever given, up to this task. */
    double queuedUntil;

    AccessPlan(Coherence coherence, String task, String kernel, Space space, List<DataNeed> needs) {
        this.coherence = coherence;
        this.task = task;
        this.kernel = kernel;
        this.space = space;
        this.needs = needs;
    }

    @Override
    public void submitted() {
        coherence.submitted(this);
    }

    @Override
    public boolean takesAhead() {
        Space where = space; // without the lock: the thread that enqueues looks again
        return where.device() == null || where.kernels().hasRoom();
    }

    @Override
    public void claimed(DataClaim claim) {
        ((ReplicaClaim) claim).plan = this;
    }

    @Override
    public void over() {
        coherence.over(this);
    }
}
