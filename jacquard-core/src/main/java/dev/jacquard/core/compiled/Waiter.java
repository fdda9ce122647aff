package dev.jacquard.core.compiled;

import dev.jacquard.engine.work.WorkerContext;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A thread that waits for a run, or will join later. Reused, so that a run allocates nothing. */
final class Waiter implements Completion, BooleanSupplier {
    /** True if no thread waits: the failure is kept for a thread that joins. Guarded by the graph's turns. */
    boolean unattended;
    /** True if the run has a place among live tasks. Written by the thread that starts the run, before the start. */
    private boolean ordered = true;
    /** The failure of the run; null when all went well. Written before {@link #over}, which publishes it. */
    @Nullable
    RuntimeException failure;
    /** True if the run is over. Written by the worker that ends the run, reset by the thread that waited. */
    private volatile boolean over;

    Waiter(boolean unattended) {
        this.unattended = unattended;
    }

    @Override
    public void over(WorkerContext worker, @Nullable RuntimeException itsFailure) {} // settled at the end of the turn

    void settle(@Nullable RuntimeException itsFailure) {
        failure = itsFailure;
        over = true;
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
        over = false;
        return last;
    }

    @Override
    public boolean getAsBoolean() {
        return over;
    }
}
