package dev.jacquard.flow.runtime;

import org.jspecify.annotations.Nullable;

/**
 * The items and wake-ups that a copy holds back until the end of its activation.
 *
 * <p>Threads: the activation begins and ends; the {@link Courier} looks, and passes on.
 */
final class HeldBack {
    private final EmittingCopy copy;
    private final Outlet[] outlets;
    private final @Nullable Departures departures;
    /**
     * Odd while the copy works and holds back emitted items. Written by its activation, with a full fence before the
     * activation checks the {@link Courier}; read by the courier.
     */
    private volatile int batches;
    /** The value of {@link #batches} at the last look of the {@link Courier}. Confined to the courier. */
    private int seen;

    HeldBack(EmittingCopy copy, Outlet[] outlets, @Nullable Departures departures) {
        this.copy = copy;
        this.outlets = outlets;
        this.departures = departures;
    }

    /** Records that an activation begins that holds back items, until {@link #end}. */
    void begin() {
        int before = batches;
        batches = before + 1;
    }

    /** Records that the activation is about to end. */
    void end() {
        int now = batches;
        if ((now & 1) != 0) {
            batches = now + 1;
        }
    }

    /** Hands the collected items to the consumers. Called by the activation. */
    void flush() {
        for (Outlet outlet : outlets) {
            outlet.flush();
        }
    }

    /** Hands over items and wakes copies at once, since this thread is about to wait, and another may wait for them. */
    void flushAll() {
        flush();
        copy.wakes.fire(null, copy.run.workers());
    }

    /** Returns true if the copy works on a batch and holds back emitted items. Called by any thread. */
    boolean isInBatch() {
        return (batches & 1) != 0;
    }

    /**
     * Passes on the items that the copy holds back, if the copy has been in the same batch since the last call. Returns
     * true if so. Called by the courier.
     */
    boolean passOnIfLate() {
        int now = batches;
        boolean late = now == seen && (now & 1) != 0;
        seen = now;
        if (!late) {
            return false;
        }
        RunLife life = copy.run.life();
        try {
            WakeList woken = new WakeList();
            if (departures != null) {
                departures.passOn(outlets, woken);
            } else {
                for (Outlet outlet : outlets) {
                    outlet.passOn(woken);
                }
            }
            woken.fire(null, copy.run.workers());
            copy.wakes.fire(null, copy.run.workers());
        } catch (Throwable t) {
            life.fail(copy.info, "emit", null, t);
        }
        life.settle();
        return true;
    }
}
