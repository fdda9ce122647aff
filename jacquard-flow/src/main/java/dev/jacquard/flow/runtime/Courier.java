package dev.jacquard.flow.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;

/**
 * Passes on what copies hold back. A copy that works through cheap items collects what it emits, and whom it is to
 * wake, until its batch is done; where one item of the batch takes long, others would wait for that.
 *
 * <pre>
 *  a batch begins --watch--> a look is scheduled --pause--> look at each copy --the same batch as at the last look--> pass on
 *                                    ^                              |
 *                                    +---- any is in a batch -------+-- none is: until the next watch
 * </pre>
 *
 * <p>The pause before the next look is 2 ms when something was passed on, and twice the last one, up to 32 ms, when
 * nothing was: a look wakes two threads, and most runs never need one.
 *
 * <p>No batch is missed: a copy says that it has begun one, then looks whether a look is scheduled; the courier says
 * that none is, then looks at the copies again. With a full fence between the two steps on both sides, one of them sees
 * the other.
 *
 * <p>Threads: {@link #watch} by the activation of a copy. Looks are one after the other, on a background thread.
 */
final class Courier implements Runnable {
    /** Much longer than a batch of cheap items. */
    private static final long SHORTEST_NANOS = 2_000_000;
    /** So long that looks take no time to speak of. */
    private static final long LONGEST_NANOS = 32_000_000;

    private static final VarHandle SCHEDULED;

    static {
        try {
            SCHEDULED = MethodHandles.lookup().findVarHandle(Courier.class, "scheduled", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Run run;
    private final List<TaskInstance> copies;
    /** True while a look is scheduled, or takes place. */
    private volatile boolean scheduled;
    /** Before the next look. Written by a look, before it schedules the next one or lets others do so. */
    private long pauseNanos = SHORTEST_NANOS;

    Courier(Run run, List<TaskInstance> copies) {
        this.run = run;
        this.copies = copies.stream().filter(copy -> !copy.dedicated()).toList();
    }

    /** A copy has begun a batch. */
    void watch() {
        if (!scheduled && SCHEDULED.compareAndSet(this, false, true)) {
            schedule();
        }
    }

    private void schedule() {
        run.workers().schedule(pauseNanos, this);
    }

    @Override
    public void run() {
        boolean more = false;
        boolean late = false;
        for (TaskInstance copy : copies) {
            late |= copy.passOnIfLate();
            more |= copy.isInBatch();
        }
        pauseNanos = late ? SHORTEST_NANOS : Math.min(2 * pauseNanos, LONGEST_NANOS);
        if (more) {
            schedule();
            return;
        }
        scheduled = false;
        for (TaskInstance copy : copies) {
            if (copy.isInBatch()) {
                watch();
                return;
            }
        }
    }
}
