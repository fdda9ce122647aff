package dev.jacquard.engine;

import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.engine.work.RangeBody;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A range of numbers that a worker and those who help it go through in parts.
 *
 * <pre>
 *  caller                            helper
 *    sets the range, opens             helpers += 1, unless it is closed or has as many as it may
 *    take parts until none is left     take one part
 *    close                             helpers -= 1; unparks the caller when it was the last of a closed loop
 *    park until helpers == 0
 * </pre>
 *
 * <p>A part is taken by one getAndAdd. Who helps is counted before it takes a part, in the same field that says whether
 * the loop is closed: so when the caller has closed it and no helper is counted, no helper runs the body, nor will one.
 *
 * <p>Workers use a loop again and again. A thread that still knows it from before finds it closed, or helps with the
 * new range: what belongs to a range is written before the count of helpers, which opens the loop, and read behind the
 * count by which a helper joins. What a helper reads before, to see if it pays to join, is a hint.
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
    /** Null while the loop is closed, to keep nothing alive. */
    private @Nullable RangeBody body;

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

    /** Takes part with one part. Whether there was one. Any thread. */
    boolean help() {
        if (!isOpen() || !join()) {
            return false;
        }
        try {
            return (helpers & ~CLOSED) <= mostHelpers && runNext(); // what isOpen() saw may be of another range
        } finally {
            if ((int) HELPERS.getAndAdd(this, -1) == CLOSED + 1) {
                LockSupport.unpark(caller);
            }
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

    private synchronized void fail(Throwable e) {
        taken = parts; // volatile; who takes one at the same time only makes it more
        Throwable first = failure;
        if (first == null) {
            failure = e;
        } else if (first != e) {
            first.addSuppressed(e);
        }
    }

    /**
     * Waits for those who help, and forgets the range. The caller, after {@link #runAll}.
     *
     * @return the first failure of the body, with the others suppressed; null if there was none
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
        return takeFailure();
    }

    private synchronized @Nullable Throwable takeFailure() {
        Throwable first = failure;
        failure = null;
        return first;
    }

    /** Throws what a body threw; does nothing when that is null. */
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
