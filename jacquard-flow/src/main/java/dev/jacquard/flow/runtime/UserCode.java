package dev.jacquard.flow.runtime;

import dev.jacquard.engine.work.ThreadFunction;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * The code of one copy's body, while a stop of the run may interrupt it: on the copy's own thread, or on whichever
 * worker runs the copy.
 *
 * <p>A run that stops interrupts user code, but neither the runtime nor a shutdown phase, which cleans up. No stop is
 * missed: the thread that stops the run sets the run's flag before it interrupts, and this code begins before its
 * thread checks the flag. The code of items, which is at work most often, begins before {@link Stage#take} and ends in
 * {@link Stage#pause}, and the lock of that method is also held while it is interrupted: so it needs no separate fence.
 * Where the code submits tasks or waits in its own session, the nodes that its thread runs there are not interrupted:
 * see {@link ThreadFunction}.
 */
final class UserCode extends ThreadFunction {
    private final BooleanSupplier stopping;
    /** True if the thread is the copy's own. Else the engine forgets the interrupts that a node leaves. */
    private final boolean forgets;

    UserCode(BooleanSupplier stopping, boolean isDedicated) {
        this.stopping = stopping;
        this.forgets = isDedicated;
    }

    /**
     * Runs user code that may be interrupted.
     *
     * @throws CancellationException if the run stops already
     */
    void run(Phase phase) throws Exception {
        begin();
        try {
            if (stopping.getAsBoolean()) {
                throw new CancellationException("the run stops");
            }
            phase.run();
        } finally {
            leave();
        }
    }

    /** Ends the code, and leaves no interrupt. By its thread. */
    void leave() {
        end();
        if (forgets) {
            Thread.interrupted();
        }
    }

    /** Ends the code like {@link #leave}, under the lock of the stage. */
    void leaveUnderLock() {
        if (isAtWork()) { // else the thread has taken no items
            endUnderLock();
            if (forgets) {
                Thread.interrupted();
            }
        }
    }

    /** Returns true if the code runs. */
    boolean isAtWork() {
        return thread() != null;
    }

    /** Returns true if the code runs, and is not blocked. */
    boolean isMoving() {
        Thread its = thread();
        return its != null && its.getState() == Thread.State.RUNNABLE;
    }

    /** User code that may be interrupted: see {@link #run}. */
    @FunctionalInterface
    interface Phase {
        void run() throws Exception;
    }
}
