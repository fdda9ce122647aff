package dev.jacquard.flow.runtime;

import dev.jacquard.base.concurrent.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The tickets of a copy's batch, which leave the place of the copy's stage. An item leaves when it is done and the
 * items that it led to have arrived at their places: with its batch, or earlier if a later item of the batch takes
 * long. Until an item leaves, it holds back younger items that wait for buffers further down.
 *
 * <p>Threads: the activation begins and ends a batch; the {@link Courier} may pass on finished items concurrently. Both
 * take the lock of this object, which comes before that of an {@link Outlet}.
 */
final class Departures {
    private static final VarHandle DONE = Fields.handle(MethodHandles.lookup(), "done", int.class);

    private final BufferGrants ledger;
    private final TicketSet place;
    /** The tickets of the batch; 0 for an item without a ticket, and for one that waits for engine tasks. */
    private final long[] tickets;
    /**
     * The number of items that are done. Written by the activation: increased with a release, after the tickets and the
     * emitted items, which pairs with the courier's acquire; reset to 0 under this lock.
     */
    @SuppressWarnings("UnusedVariable") // read through DONE
    private int done;
    /** The number of items that have left. Guarded by this. */
    private int gone;

    Departures(BufferGrants ledger, TicketSet place, int most) {
        this.ledger = ledger;
        this.place = place;
        this.tickets = new long[most];
    }

    /** Records the tickets of a batch that is about to be executed. Called by the activation. */
    void begin(@Nullable Object[] batch, int count) {
        for (int i = 0; i < count; i++) {
            Object item = batch[i];
            tickets[i] = item == null ? 0 : Numbered.ticketOf(item);
        }
    }

    /**
     * Records that the body has returned from an item, which leaves later if it {@code waits} for engine tasks. Called
     * by the activation.
     */
    void done(int at, boolean waits) {
        if (waits) {
            tickets[at] = 0;
        }
        DONE.setRelease(this, at + 1);
    }

    /** Ends a batch: all items that it led to have arrived at their places. Called by the activation. */
    synchronized void end(int count, WakeList wakes) {
        leave(count, wakes);
        done = 0;
        gone = 0;
    }

    /**
     * Passes on the items that {@code outlets} hold back, and lets the items that are done leave. Called by the
     * courier.
     */
    synchronized void passOn(Outlet[] outlets, WakeList wakes) {
        int end = (int) DONE.getAcquire(this); // before the emitted items are read
        for (Outlet outlet : outlets) {
            outlet.passOn(wakes);
        }
        leave(end, wakes);
    }

    /** Lets the items below {@code end} that are still here leave. Called with the lock held. */
    private void leave(int end, WakeList wakes) {
        int count = 0;
        for (int i = gone; i < end; i++) {
            if (tickets[i] != 0) {
                tickets[count++] = tickets[i];
            }
        }
        gone = end;
        if (count > 0) {
            ledger.leave(place, tickets, count, wakes);
        }
    }
}
