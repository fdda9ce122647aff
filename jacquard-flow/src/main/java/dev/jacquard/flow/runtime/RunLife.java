package dev.jacquard.flow.runtime;

import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.base.failure.Suppressed;
import dev.jacquard.base.text.UserText;
import dev.jacquard.core.execution.FailureLog;
import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.engine.Workers;
import dev.jacquard.engine.work.Dispatcher.Timer;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.report.FlowReport.Outcome;
import dev.jacquard.flow.task.Body.CopyInfo;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The life of a run: its outcome, its failures, and the threads that wait for it.
 *
 * <pre>
 *  RUNNING --last copy has shut down--> DONE
 *     |-----a phase threw-------------> FAILED    -- all copies shut down --> completed --close--> buffers freed
 *     +-----cancel, or closed early---> CANCELLED --/
 * </pre>
 *
 * <p>Threads: any. The lock of this object guards the outcome and the failures, and is held alone.
 */
final class RunLife {
    /**
     * The record, by any thread, of a call that broke off half way, for want of stack or memory: items may be lost, and
     * copies may sleep for ever. A field, since there may be no stack left for a call.
     */
    final Breakage broken;

    private final Owner run;
    private final Workers workers;
    private final String flow;
    /** Copies that have not shut down, and the start itself. */
    private final AtomicInteger active = new AtomicInteger(1);

    /** Set by threads that hold locks, taken by the same ones once they hold none. */
    private final AtomicReference<@Nullable Failure> raised = new AtomicReference<>();
    /** Set once. Volatile, as each copy reads it per item without a lock. */
    private volatile boolean stopping;
    /** Set once, after all copies shut down: volatile, since waiting threads read it without a lock. */
    private volatile boolean completed;

    /** Guarded by this. */
    private Outcome outcome = Outcome.RUNNING;
    /** Guarded by this. */
    private final FailureLog<Failure> failures = new FailureLog<>();
    /** Guarded by this: the exception that stopped the run. */
    private @Nullable Throwable cause;
    /** True once the failures were reported to a caller outside of all tasks. Set by any thread. */
    private volatile boolean told;
    /** True once the waits were ended because of {@link #broken}. Set by any thread; ended twice does no harm. */
    private volatile boolean brokenTold;
    /** The threads that wait for items. */
    private final AtomicInteger awaiting = new AtomicInteger();
    /** Written before the start. */
    private long startNanos;
    /** Written before {@link #completed}, read after it. */
    private long endNanos;

    /** The run, as its life sees it. */
    interface Owner {
        /** Wakes all threads and copies that sleep or wait. Called once, without locks, when the run stops. */
        void stop();

        /** All copies have shut down. Called once. */
        void ended();

        /** Returns true if the calling thread runs a part of the run, or another node, and would wait for itself. */
        boolean isInside();

        /** Returns true if {@link #requireNotHeldUp} throws. Cheap for most threads, and asked often. */
        boolean isHeldUp();

        /** Throws if tasks of items cannot be over before the calling thread closes a view, or ends a function. */
        void requireNotHeldUp();

        FlowReport report();
    }

    RunLife(Owner run, Workers workers, String flow) {
        this.run = run;
        this.workers = workers;
        this.broken = workers.broken();
        this.flow = flow;
    }

    /** Records that a run of {@code copies} begins. */
    void begin(int copies) {
        active.set(copies + 1);
        startNanos = workers.trace().nanoTime();
    }

    long startNanos() {
        return startNanos;
    }

    long elapsedNanos() {
        return (completed ? endNanos : workers.trace().nanoTime()) - startNanos;
    }

    boolean stopping() {
        return stopping;
    }

    boolean completed() {
        return completed;
    }

    boolean isTold() {
        return told;
    }

    synchronized Outcome outcome() {
        return outcome;
    }

    void cancel() {
        stop(Outcome.CANCELLED, null);
    }

    void fail(CopyInfo copy, String phase, @Nullable Object item, Throwable problem) {
        stop(Outcome.FAILED, new Failure(copy.task(), copy.index(), phase, text(item), problem));
    }

    /**
     * Fails the run since code outside of its tasks has failed.
     *
     * @param who a name for that code
     * @param phase the call that failed
     */
    void failOutside(String who, String phase, @Nullable Object item, Throwable problem) {
        stop(Outcome.FAILED, new Failure(who, -1, phase, text(item), problem));
    }

    /**
     * Records that user code threw while a lock is held; the first is kept for {@link #settle}. Takes no lock.
     *
     * @param phase the phase of the body that was called
     * @param item the item that failed with it
     */
    void raise(String task, String phase, Object item, Throwable problem) {
        raised.compareAndSet(null, new Failure(task, -1, phase, item, problem));
    }

    /**
     * Fails the run if user code threw while a lock was held, and ends all waits if a call broke off half way. Called
     * without locks, by every thread that appends or takes items.
     */
    void settle() {
        endBroken();
        Failure why = raised.get();
        if (why != null && raised.compareAndSet(why, null)) {
            stop(Outcome.FAILED, new Failure(why.task, why.copy, why.phase, text(why.item), why.cause));
        }
    }

    /** Ends all waits if a call broke off half way. Where the stack has no room for it, a later call does it. */
    void endBroken() {
        Throwable why = broken.by;
        if (why != null && !brokenTold) {
            workers.fail(why);
            brokenTold = true;
        }
    }

    /** Throws if the engine has ended, so that nothing moves any more. */
    void requireUnbroken() {
        workers.requireUnbroken();
    }

    /** Wakes the copies of {@code wakes}, and {@linkplain #settle() settles}. */
    void settle(WakeList wakes) {
        wakes.fire(null, workers);
        settle();
    }

    private static @Nullable String text(@Nullable Object item) {
        return item == null ? null : UserText.of(item);
    }

    private void stop(Outcome how, @Nullable Failure why) {
        synchronized (this) {
            if (why != null && isToBeTold(why.cause)) {
                failures.add(why);
            }
            if (outcome != Outcome.RUNNING) {
                return;
            }
            outcome = how;
            cause = why == null ? null : why.cause;
            stopping = true;
        }
        run.stop();
    }

    /** Returns true unless {@code problem} follows from the end of the run. Called with the lock held. */
    private boolean isToBeTold(Throwable problem) {
        return switch (outcome) {
            case RUNNING, DONE -> true;
            case FAILED -> problem != cause;
            case CANCELLED -> !FailureLog.isGivenUp(problem);
        };
    }

    /** Records that a copy has shut down, or that the start is done; the last one completes the run. */
    void copyDone() {
        if (active.decrementAndGet() > 0) {
            return;
        }
        endNanos = workers.trace().nanoTime();
        synchronized (this) {
            if (outcome == Outcome.RUNNING) {
                outcome = Outcome.DONE;
            }
        }
        completed = true;
        run.ended();
        workers.signal();
    }

    /**
     * Waits for items. During the wait copies may submit tasks that wait for the calling thread, so that it is checked
     * again and again.
     *
     * @throws IllegalStateException when tasks of items wait for the calling thread
     */
    void awaitItems(BooleanSupplier condition) {
        awaiting.incrementAndGet();
        try {
            awaitUnlessHeldUp(condition);
        } finally {
            awaiting.decrementAndGet();
        }
    }

    /** Waits like {@link #awaitItems(BooleanSupplier)}, for {@code nanos} at most. */
    void awaitItems(BooleanSupplier condition, long nanos) {
        AtomicBoolean due = new AtomicBoolean();
        Timer timer = workers.schedule(nanos, () -> {
            due.set(true);
            workers.signal();
        });
        try {
            awaitUnlessHeldUp(() -> due.get() || condition.getAsBoolean());
        } finally {
            timer.cancel();
        }
    }

    /** Returns true if a thread waits for items, for any length of time. */
    boolean isAwaited() {
        return awaiting.get() > 0;
    }

    private void awaitUnlessHeldUp(BooleanSupplier condition) {
        boolean over = false;
        while (!over) {
            await(() -> condition.getAsBoolean() || run.isHeldUp());
            over = condition.getAsBoolean();
            if (!over) {
                run.requireNotHeldUp(); // does not throw if another thread has closed the view since
            }
        }
    }

    /** Waits; the run goes on when the thread is interrupted. */
    void await(BooleanSupplier condition) {
        try {
            workers.awaitUntil(condition);
        } catch (InterruptedException e) {
            throw new WaitInterruptedException("flow \"" + flow + '"', e);
        }
    }

    /**
     * Throws if the run stops. Waits until all copies have shut down: until then items are counted as failed or
     * cancelled, and counts are reported after that.
     */
    void requireNotStopped() {
        if (!stopping) {
            return;
        }
        if (!completed && !run.isInside()) {
            try {
                awaitItems(this::completed);
            } catch (WaitInterruptedException e) { // the flag is set again, and the end of the run is reported
            }
        }
        RuntimeException why = failure();
        throw why == null ? cancelled(run.report()) : why;
    }

    private CancellationException cancelled(FlowReport report) {
        return new CancellationException("flow \"" + flow + "\" was cancelled\n" + report);
    }

    /**
     * Returns the exception for the caller; null when nothing has failed. Failures since the run was cancelled are
     * suppressed by the exception that says so.
     */
    @Nullable
    RuntimeException failure() {
        FailureLog<Failure> all;
        boolean isCancelled;
        synchronized (this) {
            all = failures.copy();
            isCancelled = outcome == Outcome.CANCELLED;
        }
        if (all.isEmpty()) {
            return null;
        }
        FlowReport report = run.report();
        RuntimeException whole = exception(all, isCancelled, report);
        if (!run.isInside()) { // code of tasks may keep it to itself
            told = true; // last: if the stack is full before, the failure is still to be reported
        }
        return whole;
    }

    private RuntimeException exception(FailureLog<Failure> all, boolean isCancelled, FlowReport report) {
        return all.exception(report, (failure, consequences) -> {
            if (consequences.isEmpty()) { // not the first: its exception holds the report, and says it itself
                return failure.exception(flow, null);
            }
            if (!isCancelled) {
                return failure.exception(flow, report);
            }
            CancellationException cancelled = cancelled(report);
            Suppressed.add(cancelled, failure.exception(flow, null));
            return cancelled;
        });
    }

    /** An exception of user code, with the item's text, or the item itself while a lock is held. */
    private record Failure(
            String task, int copy, String phase, @Nullable Object item, Throwable cause) {
        FlowFailedException exception(String flow, @Nullable FlowReport report) {
            return new FlowFailedException(flow, task, copy, phase, (String) item, cause, report);
        }
    }
}
