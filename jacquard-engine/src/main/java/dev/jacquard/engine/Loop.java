package dev.jacquard.engine;

import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.base.failure.Suppressed;
import dev.jacquard.engine.work.CancelSignal;
import dev.jacquard.engine.work.RangeBody;
import dev.jacquard.engine.work.ThreadFunction;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A range of numbers that a worker and its helpers go through in parts.
 *
 * <pre>
 *  caller                            helper
 *    sets the range, opens             helpers += 1, unless it is closed or has as many as it may
 *    take parts until none is left     take one part
 *    close                             helpers -= 1; unparks the caller when it was the last of a closed loop
 *    park until helpers == 0
 * </pre>
 *
 * <p>The loop ends early when a part throws, when the node that runs it is cancelled, or when the function that runs it
 * is interrupted: each thread asks before it takes a part. Helpers of a loop that a function runs do so inside of a
 * function of their own, so that an interrupt reaches them too: see {@link ThreadFunction}.
 *
 * <p>A part is taken by one getAndAdd. Who helps is counted before it takes a part, in the same field that says whether
 * the loop is closed: so when the caller has closed it and no helper is counted, no helper runs the body, nor will one.
 *
 * <p>Workers use a loop again and again. A thread that still knows it from before finds it closed, or helps with the
 * new range: the fields of a range are written before the count of helpers, which opens the loop, and read after the
 * count by which a helper joins. Earlier reads of a helper, to see if it pays to join, are hints.
 */
final class Loop {
    /** Set in {@link #helpers} while no range is open: who is not yet counted stays out. */
    private static final int CLOSED = 1 << 30;

    /** So that a few more takers than parts do not wrap the count. */
    private static final long LONGEST = Long.MAX_VALUE / 2;

    private static final VarHandle TAKEN = Fields.handle(MethodHandles.lookup(), "taken", long.class);
    private static final VarHandle HELPERS = Fields.handle(MethodHandles.lookup(), "helpers", int.class);

    /** The next loop that no worker uses. Guarded by the monitor of {@link Loops}. */
    @Nullable
    Loop next;

    /**
     * The thread that waits for the helpers. Written by that thread while the loop is closed, like the fields below.
     */
    private Thread caller = Thread.currentThread();

    private long from;
    private long to;
    private long grain;
    private long parts;
    /** The number of helpers that there may be at a time. */
    private int mostHelpers;
    /** Null while the loop is closed, to keep nothing alive, as are the two after it where they are not null. */
    private @Nullable RangeBody body;

    private @Nullable ThreadFunction function;
    private @Nullable CancelSignal node;

    /**
     * The number of parts that were begun, or more. getAndAdd by a thread that takes one; set to the end by a failure.
     */
    private volatile long taken;
    /**
     * The number of helpers, and {@link #CLOSED}. The caller opens by a volatile write; else read-modify-writes only.
     */
    private volatile int helpers = CLOSED;
    /** The first failure of the body. Guarded by this; read by the caller when no helper is left. */
    private @Nullable Throwable failure;
    /** The number of parts that had begun when the loop was stopped; -1 if it was not. Guarded like the failure. */
    private long begun = -1;

    /**
     * Returns the number of parts of a range.
     *
     * @throws IllegalArgumentException when the grain is less than 1, or the range longer than half of a long's
     */
    static long parts(long from, long to, long grain) {
        if (grain < 1) {
            throw new IllegalArgumentException("the grain of a parallel loop must be at least 1, not " + grain);
        }
        long length = to <= from ? 0 : to - from;
        if (length < 0 || length > LONGEST) {
            throw new IllegalArgumentException("a parallel loop from " + from + " to " + to + " is too long");
        }
        return length / grain + (length % grain == 0 ? 0 : 1);
    }

    /** Sets the causes that end this loop, which is closed, early; null for none. By the thread that took it. */
    void endsWith(@Nullable ThreadFunction itsFunction, @Nullable CancelSignal itsNode) {
        function = itsFunction;
        node = itsNode;
    }

    /** Opens this loop, which is closed, for a range. By the thread that took it. */
    void open(long first, long behind, long grainOfAll, int most, RangeBody itsBody) {
        caller = Thread.currentThread();
        from = first;
        to = behind;
        grain = grainOfAll;
        parts = parts(first, behind, grainOfAll);
        mostHelpers = (int) Math.min(most, Math.max(0, parts - 1));
        body = itsBody;
        taken = 0;
        helpers = 0; // volatile: a helper that joins sees all of the above
    }

    /** Returns the number of helpers that the loop could use. */
    int room() {
        return mostHelpers;
    }

    /** Returns true if a helper could take a part. */
    boolean isOpen() {
        return taken < parts && helpers < mostHelpers;
    }

    /** Takes part with one part; returns true if there was one. Any thread that owns {@code part}. */
    boolean help(ThreadFunction part) {
        if (!isOpen() || !join()) {
            return false;
        }
        try {
            return (helpers & ~CLOSED) <= mostHelpers && runNext(part); // isOpen() may have seen another range
        } finally {
            if ((int) HELPERS.getAndAdd(this, -1) == CLOSED + 1) {
                LockSupport.unpark(caller);
            }
        }
    }

    private boolean runNext(ThreadFunction part) {
        ThreadFunction its = function;
        if (its == null) {
            return runNext();
        }
        part.beginPartOf(its);
        try {
            return runNext();
        } finally {
            part.end(); // before the count: then the function may end
        }
    }

    private boolean join() {
        int now = helpers;
        while (now < mostHelpers) {
            int seen = (int) HELPERS.compareAndExchange(this, now, now + 1);
            if (seen == now) {
                return true;
            }
            now = seen;
        }
        return false;
    }

    /** Runs all parts that no helper takes. The caller. */
    void runAll() {
        while (runNext()) {
            // the next part
        }
    }

    private boolean runNext() {
        if (taken >= parts) {
            return false; // else the number would grow with every look
        }
        if (isStopped()) {
            stop();
            return false;
        }
        long part = (long) TAKEN.getAndAdd(this, 1L);
        if (part >= parts) {
            return false;
        }
        long first = from + part * grain;
        try {
            Objects.requireNonNull(body).run(first, to - first <= grain ? to : first + grain);
        } catch (Throwable e) {
            fail(e);
        }
        return true;
    }

    private boolean isStopped() {
        CancelSignal whole = node;
        ThreadFunction its = function;
        return (whole != null && whole.cancelled()) || (its != null && its.isStopped());
    }

    private synchronized void stop() {
        long before = (long) TAKEN.getAndSet(this, parts);
        if (before < parts) { // else all had begun, or another thread was first
            begun = before;
        }
    }

    private synchronized void fail(Throwable e) {
        taken = parts; // volatile; who takes one at the same time only makes it more
        failure = Suppressed.join(failure, e);
    }

    /**
     * Waits for the helpers, and forgets the range. The caller, after {@link #runAll}.
     *
     * @return the first failure of the body, with the others suppressed; else that the loop was stopped, if parts were
     *     left out for that; else null
     */
    @Nullable
    Throwable end() {
        boolean interrupted = false;
        HELPERS.getAndAdd(this, CLOSED);
        for (int turn = 0; helpers != CLOSED; turn++) {
            if (turn < 1000) {
                Thread.onSpinWait();
            } else {
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        body = null;
        endsWith(null, null);
        return takeFailure();
    }

    private synchronized @Nullable Throwable takeFailure() {
        Throwable first = failure;
        failure = null;
        long before = begun;
        begun = -1;
        return first != null || before < 0 ? first : stopped(from, to, before, parts);
    }

    /** Returns the exception of a loop that was stopped when {@code begun} of its {@code parts} had begun. */
    static CancellationException stopped(long from, long to, long begun, long parts) {
        return new CancellationException("a parallel loop from " + from + " to " + to + " ended early, with " + begun
                + " of its " + parts + " parts begun: its task was interrupted, or its graph cancelled");
    }

    /** Throws the exception of a body; does nothing when that is null. */
    static void rethrow(@Nullable Throwable failure) throws Exception {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof Exception exception) {
            throw exception;
        }
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
    }
}
