package dev.jacquard.core.compiled;

import dev.jacquard.engine.work.WorkerContext;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A thread that waits for a run, or will ask later. Used again, so that a run allocates nothing. */
final class Waiter implements Completion, BooleanSupplier {
    /** Nobody waits: the failure is kept for whoever joins. Guarded by the graph's turns. */
    boolean unattended;
    /** True if the run has a place among live tasks. Written by the thread that starts the run, before. */
    private boolean ordered = true;
    /** Written before {@link #over}, which publishes it. */
    @Nullable
    RuntimeException failure;
    /** Written by the worker that ends the run, reset by the thread that waited. */
    private volatile boolean over;

    Waiter(boolean unattended) {
        this.unattended = unattended;
    }

    @Override
    public void over(WorkerContext worker, @Nullable RuntimeException itsFailure) {} // settled with the end of its turn

    void settle(@Nullable RuntimeException itsFailure) {
        failure = itsFailure;
        over = true;
    }

    @Override
    public boolean isOrdered() {
        return ordered;
    }

    /** Says whether the next run has a place among live tasks. */
    Waiter ordered(boolean choice) {
        ordered = choice;
        return this;
    }

    /** Ready for another run; returns the failure of the last. */
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
