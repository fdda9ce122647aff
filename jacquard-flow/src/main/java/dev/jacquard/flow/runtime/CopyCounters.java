package dev.jacquard.flow.runtime;

/**
 * The counts and times of one copy, from the start of the run to the end of the copy. At each moment the copy is in one
 * {@link Phase}, so its times add up to its life; a snapshot includes the phase that is not over.
 *
 * <pre>
 *  WAITS --takes items, or a phase of the body begins--> WORKS --activation ends--> WAITS ... --> ENDED
 *                                                        |   ^
 *             a body waits for a buffer itself           v   |
 *                                                    WAITS_FOR_BUFFER
 * </pre>
 *
 * <p>The phases need no clock reading but those at the begin and the end of an activation, and that at the begin only
 * if the last one did not end right before. Locks need two for each, so one activation of {@value #MEASURED} measures
 * them, and their share holds for the others.
 *
 * <p>Threads: {@link #tally}, the two time stamps and the fields on measuring are confined to the activation; all other
 * fields are guarded by the stage.
 */
final class CopyCounters {
    /** Of this number of activations one measures the locks. */
    static final int MEASURED = 8;

    /** The counts since the last publication. */
    final ItemCounters tally = new ItemCounters();
    /** The time at which the activation began to take items. */
    long beginNanos;
    /** The end of the last work of the activation. */
    long endNanos;

    /** The number of activations that have taken items. */
    private int activations;

    private boolean measures;

    private final ItemCounters published = new ItemCounters();
    private Phase phase = Phase.WAITS;
    private long sinceNanos;
    /** The time in which the stage's items waited for buffers, up to {@link #sinceNanos}. */
    private long starvedNanos;

    /** The state of a copy. */
    enum Phase {
        /** The copy has no item: it sleeps, or is ready and waits for a worker. */
        WAITS,
        /** The copy takes items, executes them and passes on their results, or its body is in another phase. */
        WORKS,
        /** The body waits for a buffer that its task did not declare. */
        WAITS_FOR_BUFFER,
        /** The copy has shut down. */
        ENDED
    }

    // ---- the activation

    /** Records the time at which an activation begins to take items. */
    void begins(long now) {
        beginNanos = now;
        measures = activations % MEASURED == 0;
    }

    /**
     * Returns true if the next activation may begin at the end of the last: if both had work, and it measures nothing.
     */
    boolean goesOn() {
        return endNanos >= beginNanos && activations % MEASURED != 0;
    }

    /** Counts an activation that has taken items. */
    void took() {
        activations++;
    }

    /** Records the time at which the work of an activation ended. */
    void ends(long now) {
        endNanos = now;
    }

    /** Returns true if the activation measures its locks. */
    boolean measures() {
        return measures;
    }

    /** Counts time in a lock. */
    void locked(long nanos) {
        tally.timedLockNanos += nanos;
    }

    // ---- under the stage's lock

    /** Records the start of the run. */
    void start(long now) {
        sinceNanos = now;
    }

    /** Publishes what the activation has counted; a copy that worked waits from the end of its work on. */
    void publish(long starvedTillEnd) {
        if (phase == Phase.WORKS) {
            enter(Phase.WAITS, endNanos, starvedTillEnd);
        }
        measures = false;
        published.absorb(tally);
    }

    /**
     * Enters a phase.
     *
     * @param starved the time in which the stage's items waited for buffers, up to {@code now}
     */
    void enter(Phase next, long now, long starved) {
        addPhase(published, now, starved);
        if (phase == Phase.WORKS && measures) {
            published.timedNanos += Math.max(0, now - sinceNanos);
        }
        phase = next;
        sinceNanos = now;
        starvedNanos = starved;
    }

    /** Returns the counts as of now. */
    ItemCounters snapshot(long now, long starved) {
        ItemCounters counts = published.copy();
        addPhase(counts, now, starved);
        return counts;
    }

    private void addPhase(ItemCounters counts, long now, long starved) {
        long nanos = Math.max(0, now - sinceNanos);
        switch (phase) {
            case WAITS -> {
                long forBuffers = Math.clamp(starved - starvedNanos, 0, nanos);
                counts.memoryNanos += forBuffers;
                counts.waitNanos += nanos - forBuffers;
            }
            case WORKS -> counts.workNanos += nanos;
            case WAITS_FOR_BUFFER -> counts.memoryNanos += nanos;
            case ENDED -> {}
        }
    }
}
