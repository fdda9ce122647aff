package dev.jacquard.flow.runtime;

import dev.jacquard.engine.Workers;
import dev.jacquard.engine.work.Dispatcher.Timer;
import org.jspecify.annotations.Nullable;

/**
 * A timer of a run, set again and again, that is cancelled when the run has ended: one that is still set would keep the
 * run alive, with the buffers of its memory edges.
 *
 * <p>The action runs on a background thread and not on the timers' own, since it takes locks of stages, under which
 * comparators of the user's run.
 *
 * <p>Threads: any. The monitor guards the fields, and is held while a timer is scheduled: an action that begins at once
 * may let another thread set the next timer, and the last one must be the one that is remembered.
 */
final class RunTimer {
    private final Workers workers;
    private @Nullable Timer last;
    private boolean over;

    RunTimer(Workers workers) {
        this.workers = workers;
    }

    /** Runs {@code action} in {@code nanos}, unless the run has ended by then. */
    synchronized void set(long nanos, Runnable action) {
        if (!over) {
            last = workers.schedule(nanos, action);
        }
    }

    /** Called when the run has ended. */
    synchronized void end() {
        over = true;
        if (last != null) {
            last.cancel();
            last = null;
        }
    }
}
