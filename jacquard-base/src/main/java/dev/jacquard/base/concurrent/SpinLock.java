package dev.jacquard.base.concurrent;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * A lock for sections of some hundred nanoseconds: one compare-and-set to take it and a plain store to give it back
 * without competition. A thread that finds the lock taken spins, then yields, then naps, since the holder may have lost
 * its processor.
 *
 * <p>Not re-entrant, not fair. Threads: any.
 */
public final class SpinLock {
    private static final int SPINS = 100;
    private static final int YIELDS = 100;
    private static final long NAP_NANOS = 50_000;

    /** In the middle of its own cache lines: it changes hands with each section, and its neighbours must not. */
    private static final int PLACE = 32;

    private static final VarHandle HELD = MethodHandles.arrayElementVarHandle(int[].class);

    /** At {@link #PLACE}: 1 while held. Taken by compare-and-set (acquire), given back with release. */
    private final int[] held = new int[2 * PLACE];

    /**
     * Set by a holder that could not give the lock back, since its stack is full: from then on a thread that has waited
     * for a while goes on without the lock.
     */
    public final Breakage broken;

    /** A lock that is free, and guards a part of the state that {@code broken} reports on. */
    public SpinLock(Breakage broken) {
        this.broken = broken;
    }

    /** Takes the lock; the effects of earlier holders are visible. */
    public void lock() {
        if (!HELD.compareAndSet(held, PLACE, 0, 1)) {
            compete();
        }
    }

    /** Gives the lock back. By its holder only; where its stack is full, {@link #broken} says so. */
    public void unlock() {
        try {
            HELD.setRelease(held, PLACE, 0);
        } catch (StackOverflowError full) { // a release needs more stack than the compare-and-set
            broken.by = full;
            throw full;
        }
    }

    @SuppressWarnings(
            "ThreadPriorityCheck") // yields only help the holder back to its processor; nothing depends on them
    private void compete() {
        for (int tries = 0; ; tries++) {
            if ((int) HELD.getOpaque(held, PLACE) == 0 && HELD.compareAndSet(held, PLACE, 0, 1)) {
                return;
            }
            if (tries < SPINS) {
                Thread.onSpinWait();
            } else if (tries < SPINS + YIELDS) {
                Thread.yield();
            } else if (broken.by != null) {
                return;
            } else {
                LockSupport.parkNanos(this, NAP_NANOS);
            }
        }
    }
}
