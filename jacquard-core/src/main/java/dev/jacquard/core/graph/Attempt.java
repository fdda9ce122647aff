package dev.jacquard.core.graph;

import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Dispatcher.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One try at a body that can be interrupted, by its time limit or because its graph was cancelled.
 *
 * <p>When the limit passes, the body is interrupted and the result of the task completes at once. The task itself ends
 * when its code has ended. A warning names a task whose code ignores the interrupt.
 *
 * <p>Threads: begun and ended by the worker, interrupted by any; guarded by its own monitor, so that an interrupt
 * reaches the thread only while the body runs, and not the bodies that run inside of it.
 */
final class Attempt {
    /** The least time from the interrupt to the warning. */
    private static final long SHORTEST_GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final TaskNode task;
    private final Thread thread = Thread.currentThread();
    private final long limitNanos;
    /** The number of this try, from 1 on, if no other try follows; else 0. */
    private final int last;

    /** The timer of the limit or, after that has passed, of the warning. */
    private @Nullable Timer timer;
    /** True while the body runs on {@link #thread}. */
    private boolean running = true;
    /** True while other bodies run on the thread, inside a call that the body made. */
    private boolean paused;
    /** True if an interrupt is to be delivered when the body goes on. */
    private boolean due;
    /** The stage that goes on without a thread since the body returned; null for none. */
    private @Nullable AsyncCompletion stage;
    /** True once the task has ended this try. */
    private boolean over;

    private boolean interrupted;
    /** The failure of the task, once the limit has passed; null before. */
    private @Nullable TaskTimeoutException late;

    Attempt(TaskNode task, long limitNanos, int last) {
        this.task = task;
        this.limitNanos = limitNanos;
        this.last = last;
    }

    synchronized void limit(Dispatcher dispatcher) {
        if (limitNanos > 0) {
            timer = dispatcher.schedule(limitNanos, () -> timeOver(dispatcher));
        }
    }

    private void timeOver(Dispatcher dispatcher) {
        TaskTimeoutException timeout = new TaskTimeoutException(task.name(), limitNanos);
        // Made before the monitor is taken, since it asks users' accesses for their names.
        Outcome how = last == 0
                ? null
                : Outcome.failed(task.name(), timeout, task.ownTaskRun().tries.details(last));
        AsyncCompletion waits;
        synchronized (this) {
            if (over) {
                return;
            }
            late = timeout;
            if (how != null) {
                task.ownTaskRun()
                        .decide(how); // before the interrupt: the thread that ends this try sees it, and tells no other
            }
            interrupt();
            timer = dispatcher.schedule(graceNanos(), this::warn);
            waits = stage;
        }
        if (how != null) {
            task.tellDecided();
        }
        if (waits != null) {
            waits.cancel(); // the stage of this try: the next one may have begun
        }
    }

    private long graceNanos() {
        return Math.max(limitNanos, SHORTEST_GRACE_NANOS);
    }

    private void warn() {
        String what;
        synchronized (this) {
            if (over) {
                return;
            }
            what = running ? bodyText() : AsyncCompletion.whereabouts(task);
        }
        task.scope()
                .domain
                .warn("task \"" + task.name() + "\" has not ended " + Durations.text(Duration.ofNanos(graceNanos()))
                        + " after its time limit of " + Durations.text(Duration.ofNanos(limitNanos)) + " passed: "
                        + (what == null ? "it is about to end" : what)
                        + "; it keeps what it accesses until it ends");
    }

    /** Under the monitor. */
    private String bodyText() {
        return due
                ? "its body is inside of a submission, which runs other tasks, on thread " + thread
                : "its body, which was interrupted, runs on thread " + thread;
    }

    /** Returns a text for snapshots if the limit has passed; else an empty one. Any thread. */
    synchronized String lateText() {
        return late == null ? "" : "past its time limit of " + Durations.text(Duration.ofNanos(limitNanos));
    }

    /** Interrupts the body if it runs; if other bodies run inside it, as soon as these have returned. */
    synchronized void interrupt() {
        if (running) {
            interrupted = true;
            if (paused) {
                due = true;
            } else {
                thread.interrupt();
            }
        }
    }

    /** Notes that other bodies run on the thread until {@link #goOn}. By the body's thread. */
    synchronized void pause() {
        paused = true;
    }

    /** Notes that the body goes on. By the body's thread. */
    synchronized void goOn() {
        paused = false;
        if (due) {
            due = false;
            thread.interrupt();
        }
    }

    /**
     * Notes that the body has returned, and that {@code its} goes on without a thread: the limit still holds. Returns
     * true if the limit has passed already.
     */
    synchronized boolean bodyOver(@Nullable AsyncCompletion its) {
        running = false;
        stage = its;
        if (interrupted) {
            Thread.interrupted(); // the interrupt of this try, which is not meant for the next body
        }
        return late != null;
    }

    /** Ends the try. Returns the failure of the task; null for none. */
    synchronized @Nullable Throwable over(@Nullable Throwable error) {
        if (running) {
            bodyOver(null);
        }
        over = true;
        stage = null;
        if (timer != null) {
            timer.cancel();
        }
        TaskTimeoutException timeout = late;
        if (timeout == null || error instanceof TaskTimeoutException) {
            return timeout == null ? error : timeout;
        }
        if (error != null) {
            timeout.addSuppressed(error);
        }
        return timeout;
    }
}
