package dev.jacquard.core.compiled;

import dev.jacquard.engine.work.WaitFlag;
import dev.jacquard.engine.work.WorkerContext;
import org.jspecify.annotations.Nullable;

/**
 * A thread that waits for a run, or will join later. Reused, so that a run allocates nothing. The worker that ends the
 * run raises the flag, the thread that waited lowers it.
 */
final class Waiter extends WaitFlag implements Completion {
    /** True if no thread waits: the failure is kept for a thread that joins. Guarded by the graph's turns. */
    boolean unattended;
    /** True if the run has a place among live tasks. Written by the thread that starts the run, before the start. */
    private boolean ordered = true;
    /** The failure of the run; null when all went well. Written before the flag, which publishes it. */
    @Nullable
    RuntimeException failure;

    Waiter(boolean unattended) {
        super(false);
        this.unattended = unattended;
    }

    @Override
    public void over(WorkerContext worker, @Nullable RuntimeException itsFailure) {} // settled at the end of the turn

    void settle(@Nullable RuntimeException itsFailure) {
        failure = itsFailure;
        set(true);
    }

    @Override
    public boolean isOrdered() {
        return ordered;
    }

    /** Sets if the next run has a place among live tasks. */
    Waiter ordered(boolean choice) {
        ordered = choice;
        return this;
    }

    /** Resets this for another run; returns the failure of the last run. */
    @Nullable
    RuntimeException reset() {
        RuntimeException last = failure;
        failure = null;
        set(false);
        return last;
    }
}
