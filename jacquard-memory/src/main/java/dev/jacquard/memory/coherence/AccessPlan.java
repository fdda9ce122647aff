package dev.jacquard.memory.coherence;

import dev.jacquard.memory.residency.DataClaim;
import dev.jacquard.memory.residency.PlannedAccess;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/**
 * A task that was submitted, or is about to be, and where it will run. Guarded by the lock of the {@link Coherence}.
 */
final class AccessPlan implements PlannedAccess {
    final String task;
    /** For what was learned of its times; empty when it runs none. */
    final String kernel;

    /** Where it is to run; another one when it went on from there. */
    Space space;

    final List<Need> needs;
    private final Coherence coherence;

    /**
     * The time from which others know what it writes, before they know its place in the order of tasks. It is the
     * number of its first need's write; the other needs' writes have the numbers that follow.
     */
    long announced;
    /** When that place was known: whoever is before it was announced before. 0 until then. */
    long ordered;
    /** It claims what it accesses. */
    boolean begun;

    /** It has given back what it claimed: what it wrote so far is where the directory says. */
    boolean released;

    boolean over;
    /** Something is brought ahead for it, and so it counts among those. */
    boolean ahead;
    /**
     * The plans that are looked at again when this one is over: it writes what they read, and is the last before them
     * that does.
     */
    final SequencedSet<AccessPlan> followers = new LinkedHashSet<>(0);
    /** How long it is expected to run, in nanoseconds. */
    double expectedNanos;
    /** When it is expected to be over, by the session's clock. */
    double expectedEnd;
    /** How long its device is expected to take for all that it was ever given, up to this. */
    double queuedUntil;

    AccessPlan(Coherence coherence, String task, String kernel, Space space, List<Need> needs) {
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
    public void claimed(DataClaim claim) {
        ((ReplicaClaim) claim).plan = this;
    }

    @Override
    public void over() {
        coherence.over(this);
    }
}
