package dev.jacquard.engine;

import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.engine.work.RangeBody;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A range of numbers that a worker and those who help it go through in parts.
 *
 * <pre>
 *  caller                            helper
 *    take parts until none is left     helpers += 1, unless it is closed
 *    close                             take one part
 *    park until helpers == 0           helpers -= 1; unparks the caller when it was the last of a closed loop
 * </pre>
 *
 * <p>A part is taken by one getAndAdd. Who helps is counted before it takes a part, in the same field that says whether
 * the loop is closed: so when the caller has closed it and no helper is counted, no helper runs the body, nor will one.
 */
final class Loop {
    /** Set in {@link #helpers} when no part is left: who is not yet counted stays out. */
    private static final int CLOSED = 1 << 30;

    /** So that a few more takers than parts do not wrap the count. */
    private static final long LONGEST = Long.MAX_VALUE / 2;

    private static final VarHandle TAKEN = Fields.handle(MethodHandles.lookup(), "taken", long.class);
    private static final VarHandle HELPERS = Fields.handle(MethodHandles.lookup(), "helpers", int.class);

    private final Thread caller = Thread.currentThread();
    private final long from;
    private final long to;
    private final long grain;
    private final long parts;
    private final RangeBody body;

    /**
     * The number of parts that were begun, or more. getAndAdd by a thread that takes one; set to the end by a failure.
     */
    private volatile long taken;
    /** The number of helpers, and {@link #CLOSED}. Read-modify-writes only. */
    private volatile int helpers;
    /** The first failure of the body. Guarded by this; read by the caller when no helper is left. */
    private @Nullable Throwable failure;

    Loop(long from, long to, long grain, RangeBody body) {
        if (grain < 1) {
            throw new IllegalArgumentException("the grain of a parallel loop must be at least 1, not " + grain);
        }
        long length = to <= from ? 0 : to - from;
        if (length < 0 || length > LONGEST) {
            throw new IllegalArgumentException("a parallel loop from " + from + " to " + to + " is too long");
        }
        this.from = from;
        this.to = to;
        this.grain = grain;
        this.parts = length / grain + (length % grain == 0 ? 0 : 1);
        this.body = body;
    }

    /** Returns the number of helpers that the loop could use. */
    int room() {
        return (int) Math.min(Integer.MAX_VALUE, parts - 1);
    }

    /** Returns true if a part is left for a helper. */
    boolean isOpen() {
        return taken < parts;
    }

    /** Takes part with one part. Whether there was one. Any thread. */
    boolean help() {
        if (!isOpen() || !join()) {
            return false;
        }
        try {
            return runNext();
        } finally {
            if ((int) HELPERS.getAndAdd(this, -1) == CLOSED + 1) {
                LockSupport.unpark(caller);
            }
        }
    }

    private boolean join() {
        int now = helpers;
        while (now < CLOSED) {
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
            body.run(first, to - first <= grain ? to : first + grain);
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

    /** Waits for those who help. The caller, after {@link #runAll}. */
    void awaitHelpers() {
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
    }

    /** Throws what the body threw. The caller, when no helper is left. */
    synchronized void throwFailure() throws Exception {
        Throwable first = failure;
        if (first instanceof Error error) {
            throw error;
        }
        if (first instanceof Exception exception) {
            throw exception;
        }
        if (first != null) {
            throw new IllegalStateException(first);
        }
    }
}
