package dev.jacquard.mpi.transport;

import dev.jacquard.base.clock.Clock;
import java.util.concurrent.locks.LockSupport;

/**
 * How a thread waits that polls: at first it goes on, then it leaves the processor to other threads after each poll,
 * then it naps, for at most a tenth of the time that it has waited.
 *
 * <p>Confined to a thread.
 */
final class Patience {
    /** The nap of a thread that waits for nothing, in nanoseconds. */
    static final long NAP = 1_000_000;
    /** The time without a nap, in nanoseconds. */
    private static final long AWAKE = 1_000_000;

    private static final long LONGEST_NAP = 200_000;

    private final int spins;
    private final Clock clock;
    private int inVain;
    /** The time of the first yield after something moved. */
    private long since;

    private long waited;

    Patience(int spins, Clock clock) {
        this.spins = spins;
        this.clock = clock;
    }

    /** Returns false if it is time to nap. */
    @SuppressWarnings("ThreadPriorityCheck") // ranks that share a processor get it earlier; nothing depends on it
    boolean goesOn(boolean moved) {
        if (moved) {
            inVain = 0;
            waited = 0;
            return true;
        }
        if (inVain < spins) {
            inVain++;
            return true;
        }
        long now = clock.nanoTime();
        if (inVain == spins) {
            inVain++;
            since = now;
        }
        waited = now - since;
        if (waited >= AWAKE) {
            return false;
        }
        Thread.yield();
        return true;
    }

    /** Naps, if it is time to. */
    void nap(Object blocker) {
        if (waited >= AWAKE) {
            LockSupport.parkNanos(blocker, Math.min(waited / 10, LONGEST_NAP));
        }
    }
}
