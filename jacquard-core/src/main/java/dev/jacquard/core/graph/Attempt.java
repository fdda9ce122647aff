package dev.jacquard.core.graph;

import dev.jacquard.base.failure.Suppressed;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Dispatcher.Timer;
import dev.jacquard.engine.work.ThreadFunction;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One try at a body that can be interrupted, by its time limit or because its graph was cancelled.
 *
 * <p>When the limit passes, the body is interrupted and the result of the task completes at once. The task itself ends
 * when its code has ended. A warning names a task that ignores the interrupt.
 *
 * <p>Its body is a {@link ThreadFunction}: an interrupt reaches the thread only while the body itself runs, and not the
 * bodies that run inside of its submissions, or inside of a wait in a separate session.
 *
 * <p>Threads: begun by the worker, which also ends the body; interrupted by any. Guarded by its own monitor.
 */
final class Attempt extends ThreadFunction {
    /** The least time from the interrupt to the warning. */
    private static final long SHORTEST_GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final TaskNode task;
    private final long limitNanos;
    /** The timer of the limit or, after that has passed, of the warning. */
    private @Nullable Timer timer;
    /** The stage that goes on without a thread since the body returned; null for none. */
    private @Nullable AsyncCompletion stage;
    /** True once the task has ended this try. */
    private boolean over;

    /** The failure of the task, once the limit has passed; null before. */
    private @Nullable TaskTimeoutException late;

    Attempt(TaskNode task, long limitNanos) {
        this.task = task;
        this.limitNanos = limitNanos;
    }

    synchronized void limit(Dispatcher dispatcher) {
        if (limitNanos > 0) {
            timer = dispatcher.scheduleOnTimer(limitNanos, () -> timeIsOver(dispatcher));
        }
    }

    private void timeIsOver(Dispatcher dispatcher) {
        if (Accesses.areOurs(task.accessesUnlessOver())) {
            timeOver(dispatcher);
        } else {
            dispatcher.runUserCode(() -> timeOver(dispatcher));
        }
    }

    private void timeOver(Dispatcher dispatcher) {
        TaskTimeoutException timeout = new TaskTimeoutException(task.name(), limitNanos);
        // Made before the monitor is taken, since it asks users' accesses for their names.
        Tries tries = task.ownTaskRun().tries;
        int last = tries.lastTry();
        Outcome how = last == 0 ? null : Outcome.failed(task.name(), timeout, tries.details(last));
        AsyncCompletion waits;
        synchronized (this) {
            if (over) {
                return;
            }
            late = timeout;
            if (how != null) {
                task.ownTaskRun()
                        .decide(how); // before the interrupt: the thread ending this try sees it, and reports no other
            }
            boolean _ = interrupt();
            timer = dispatcher.scheduleOnTimer(graceNanos(), () -> dispatcher.runUserCode(this::warn));
            waits = stage;
        }
        if (how != null) {
            task.tellDecided();
        }
        if (waits != null) {
            waits.cancelOnTimer(dispatcher); // the stage of this try: the next one may have begun
        }
    }

    private long graceNanos() {
        return Math.max(limitNanos, SHORTEST_GRACE_NANOS);
    }

    private void warn() {
        Thread its;
        synchronized (this) {
            if (over) {
                return;
            }
            its = thread();
        }
        String what = its == null ? AsyncCompletion.whereabouts(task) : bodyText(its);
        task.scope()
                .domain
                .warn("task \"" + task.name() + "\" has not ended " + Durations.text(Duration.ofNanos(graceNanos()))
                        + " after its time limit of " + Durations.text(Duration.ofNanos(limitNanos)) + " passed: "
                        + (what == null ? "it is about to end" : what)
                        + "; it keeps what it accesses until it ends");
    }

    private String bodyText(Thread its) {
        return isPaused()
                ? "its body is inside of a submission or a wait, which runs other tasks, on thread " + its
                : "its body, which was interrupted, runs on thread " + its;
    }

    /** Returns a text for snapshots if the limit has passed; else an empty one. Any thread. */
    synchronized String lateText() {
        return late == null ? "" : "past its time limit of " + Durations.text(Duration.ofNanos(limitNanos));
    }

    /**
     * Notes that the body has returned, and that {@code its} goes on without a thread: the limit still holds. Returns
     * true if the limit has passed already.
     */
    boolean bodyOver(@Nullable AsyncCompletion its) {
        end();
        synchronized (this) {
            stage = its; // the return value reports a limit that has passed before
            return late != null;
        }
    }

    /** Ends the try. Returns the failure of the task; null for none. By the body's thread, unless the body is over. */
    @Nullable
    Throwable over(@Nullable Throwable error) {
        if (thread() != null) {
            end();
        }
        synchronized (this) {
            over = true;
            stage = null;
            if (timer != null) {
                if (late == null && timer.isDue()) { // the timers may have had no processor since
                    late = new TaskTimeoutException(task.name(), limitNanos);
                }
                timer.cancel();
            }
            TaskTimeoutException timeout = late;
            if (timeout == null || error instanceof TaskTimeoutException) {
                return timeout == null ? error : timeout;
            }
            if (error != null) {
                Suppressed.add(timeout, error);
            }
            return timeout;
        }
    }
}
