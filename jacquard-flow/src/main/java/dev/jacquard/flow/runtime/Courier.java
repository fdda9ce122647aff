package dev.jacquard.flow.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;

/**
 * Passes on what copies hold back. A copy that works through cheap items collects what it emits, and whom it is to
 * wake, until its batch is done; where one item of the batch takes long, others would wait for that.
 *
 * <pre>
 *  a batch begins --watch--> a look is scheduled --2 ms--> look at each copy --the same batch as at the last look--> pass on
 *                                    ^                             |
 *                                    +---- any is in a batch ------+-- none is: until the next watch
 * </pre>
 *
 * <p>No batch is missed: a copy says that it has begun one, then looks whether a look is scheduled; the courier says
 * that none is, then looks at the copies again. With a full fence between the two steps on both sides, one of them sees
 * the other.
 *
 * <p>Threads: {@link #watch} by the activation of a copy. Looks are one after the other, on a background thread.
 */
final class Courier implements Runnable {
    /** Much longer than a batch of cheap items, and so long that looks take no time to speak of. */
    private static final long PERIOD_NANOS = 2_000_000;

    private static final VarHandle SCHEDULED;

    static {
        try {
            SCHEDULED = MethodHandles.lookup().findVarHandle(Courier.class, "scheduled", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Run run;
    private final List<Copy> copies;
    /** True while a look is scheduled, or takes place. */
    private volatile boolean scheduled;

    Courier(Run run, List<Copy> copies) {
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
        run.workers().schedule(PERIOD_NANOS, this);
    }

    @Override
    public void run() {
        boolean more = false;
        for (Copy copy : copies) {
            more |= copy.passOnIfLate();
        }
        if (more) {
            schedule();
            return;
        }
        scheduled = false;
        for (Copy copy : copies) {
            if (copy.isInBatch()) {
                watch();
                return;
            }
        }
    }
}
