package dev.jacquard.flow.runtime;

import dev.jacquard.base.clock.Clock;
import org.jspecify.annotations.Nullable;

/**
 * The state that the requests of all memory edges of a run share.
 *
 * <p>Threads: guarded by the {@link BufferGrants}.
 */
final class GrantState {
    final Clock clock;
    /** Notifies waiting threads that one of them was answered. */
    final Runnable signal;
    /**
     * The line with the inbox that items from outside come through; null if there is none. Written before the start.
     */
    @Nullable
    Line sentTo;
    /** The last ticket that was given to an item from outside: see {@link Numbered#below}. */
    long tickets = Numbered.BEFORE_FIRST;
    /** The largest ticket of an item that got its first buffers, and may ask for more. */
    long newest;
    /** The number of requests so far. */
    long serial;
    /** True once the run stops: no request is granted from then on. */
    boolean stopped;

    GrantState(Clock clock, Runnable signal) {
        this.clock = clock;
        this.signal = signal;
    }

    /** Returns the ticket of an item or thread that comes from outside now, after all items that were sent before. */
    long outside(WakeList wakes) {
        if (sentTo != null) {
            sentTo.look(this, wakes);
        }
        return next();
    }

    /** Returns the next ticket for an item from outside. */
    long next() {
        tickets += Numbered.SPACING;
        return tickets;
    }
}
