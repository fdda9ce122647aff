package dev.jacquard.flow.runtime;

import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.engine.Workers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * Passes on the items and wake-ups that copies hold back. A copy that works through cheap items collects the items that
 * it emits, and the copies that it is to wake, until its batch is done; if one item of the batch takes long, consumers
 * would wait for that item.
 *
 * <pre>
 *  a batch begins --watch--> a look is scheduled --pause--> look at each copy --same batch as last time--> pass on
 *                                    ^                              |
 *                                    +---- any is in a batch -------+-- none is: until the next watch
 * </pre>
 *
 * <p>The pause before the next look is 2 ms if anything was passed on, otherwise twice the last pause, up to 32 ms: a
 * look wakes two threads, and most runs never need one.
 *
 * <p>No batch is missed: a copy publishes that it has begun a batch, then checks whether a look is scheduled; the
 * courier publishes that no look is scheduled, then checks the copies again. With a full fence between the two steps on
 * both sides, one side sees the other.
 *
 * <p>Threads: {@link #watch} is called by the activation of a copy. Looks run one after the other, on a background
 * thread.
 */
final class Courier implements Runnable {
    /** The shortest pause: much longer than a batch of cheap items. */
    private static final long SHORTEST_NANOS = 2_000_000;
    /** The longest pause: the time that looks take is negligible then. */
    private static final long LONGEST_NANOS = 32_000_000;

    private static final VarHandle SCHEDULED = Fields.handle(MethodHandles.lookup(), "scheduled", boolean.class);

    private final RunTimer timer;
    /** Written before the start. */
    private final List<HeldBack> copies = new ArrayList<>();

    /** True while a look is scheduled, or takes place. */
    private volatile boolean scheduled;
    /**
     * The pause before the next look. Written by a look, before the look schedules the next one or clears
     * {@link #scheduled}.
     */
    private long pauseNanos = SHORTEST_NANOS;

    Courier(Workers workers) {
        this.timer = new RunTimer(workers);
    }

    /** Adds a copy. Called before the start only. */
    void add(HeldBack copy) {
        copies.add(copy);
    }

    /** Schedules a look if none is scheduled. Called by a copy that has begun a batch. */
    void watch() {
        if (!scheduled && SCHEDULED.compareAndSet(this, false, true)) {
            schedule();
        }
    }

    /** Takes back a look that is scheduled. Called when the run has ended. */
    void end() {
        timer.end();
    }

    private void schedule() {
        timer.set(pauseNanos, this);
    }

    @Override
    public void run() {
        boolean more = false;
        boolean late = false;
        for (HeldBack copy : copies) {
            late |= copy.passOnIfLate();
            more |= copy.isInBatch();
        }
        pauseNanos = late ? SHORTEST_NANOS : Math.min(2 * pauseNanos, LONGEST_NANOS);
        if (more) {
            schedule();
            return;
        }
        scheduled = false;
        for (HeldBack copy : copies) {
            if (copy.isInBatch()) {
                watch();
                return;
            }
        }
    }
}
