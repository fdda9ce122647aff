package dev.jacquard.flow.runtime;

import dev.jacquard.engine.Workers;
import dev.jacquard.engine.work.Dispatcher.Timer;
import org.jspecify.annotations.Nullable;

/**
 * A timer of a run, set again and again, that leaves nothing behind when the run has ended: one that is still set would
 * keep the run alive, with the buffers of its memory edges.
 *
 * <p>Threads: any, but no two set it at the same time. Both fields are volatile: {@link #set} writes {@code last} and
 * reads {@code over}, {@link #end} writes {@code over} and reads {@code last}, so that one of them cancels what is set
 * while the run ends.
 */
final class RunTimer {
    private final Workers workers;
    private volatile @Nullable Timer last;
    private volatile boolean over;

    RunTimer(Workers workers) {
        this.workers = workers;
    }

    /** Runs {@code action} in {@code nanos}, unless the run has ended by then. */
    void set(long nanos, Runnable action) {
        Timer timer = workers.schedule(nanos, action);
        last = timer;
        if (over) {
            timer.cancel();
        }
    }

    /** Called when the run has ended. */
    void end() {
        over = true;
        Timer timer = last;
        if (timer != null) {
            timer.cancel();
        }
    }
}
