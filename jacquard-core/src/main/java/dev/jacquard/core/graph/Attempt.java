package dev.jacquard.core.graph;

import org.jspecify.annotations.Nullable;

/**
 * One try at a body that can be interrupted, by its time limit or because its graph was cancelled.
 *
 * <p>Threads: begun and ended by the worker, interrupted by any; guarded by its own monitor, so that an interrupt reaches the thread
 * only while the body runs.
 */
final class Attempt {
    private final Task task;
    private final Thread thread = Thread.currentThread();
    private final long limitNanos;
    private @Nullable Timer timer;
    private boolean running = true;

    private boolean interrupted;
    private boolean late;

    Attempt(Task task, long limitNanos) {
        this.task = task;
        this.limitNanos = limitNanos;
    }

    synchronized void limit(Dispatcher dispatcher) {
        if (limitNanos > 0) {
            timer = dispatcher.schedule(limitNanos, this::timeOver);
        }
    }

    private void timeOver() {
        boolean waits;
        synchronized (this) {
            late = true;
            waits = !running;
            interrupt();
        }
        if (waits) {
            Suspension.cancel(task);
        }
    }

    /** Interrupts the body if it runs. */
    synchronized void interrupt() {
        if (running) {
            interrupted = true;
            thread.interrupt();
        }
    }

    /** The body returned, and something goes on without a thread: the limit stands. Whether it has passed already. */
    synchronized boolean bodyOver() {
        running = false;
        if (interrupted) {
            Thread.interrupted(); // ours, and not for the next body
        }
        return late;
    }

    /** The task is over; what it failed with. */
    synchronized @Nullable Throwable over(@Nullable Throwable error) {
        if (running) {
            bodyOver();
        }
        if (timer != null) {
            timer.cancel();
        }
        if (!late || error instanceof TaskTimeoutException) {
            return error;
        }
        TaskTimeoutException timeout = new TaskTimeoutException(task.name(), limitNanos);
        if (error != null) {
            timeout.addSuppressed(error);
        }
        return timeout;
    }
}
