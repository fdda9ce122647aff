package dev.jacquard.flow.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The tickets of a copy's batch, on their way out of the place of its stage. An item leaves when it is done and what it
 * led to has arrived where it goes: with its batch, or before, when an item behind it takes long. As long as it is
 * there, younger items get no buffers behind it.
 *
 * <p>Threads: the activation begins and ends a batch; the {@link Courier} may pass on what is done meanwhile. An
 * activation and the courier meet under this lock, which comes before that of an {@link Outlet}.
 */
final class Departures {
    private static final VarHandle DONE;

    static {
        try {
            DONE = MethodHandles.lookup().findVarHandle(Departures.class, "done", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final BufferGrants ledger;
    private final Place place;
    /** Per item of the batch; 0 for one without a ticket, and for one that waits for engine tasks. */
    private final long[] tickets;
    /**
     * How many items are done. Written by the activation: release when it grows, behind their tickets and what they
     * emitted, which pairs with the courier's acquire; back to 0 under this lock.
     */
    @SuppressWarnings("UnusedVariable") // read through DONE
    private int done;
    /** How many of them have left. Guarded by this. */
    private int gone;

    Departures(BufferGrants ledger, Place place, int most) {
        this.ledger = ledger;
        this.place = place;
        this.tickets = new long[most];
    }

    /** A batch is about to be executed. By the activation. */
    void begin(@Nullable Object[] batch, int count) {
        for (int i = 0; i < count; i++) {
            Object item = batch[i];
            tickets[i] = item == null ? 0 : Numbered.ticketOf(item);
        }
    }

    /** The body has returned from that item, which leaves later when it {@code waits}. By the activation. */
    void done(int at, boolean waits) {
        if (waits) {
            tickets[at] = 0;
        }
        DONE.setRelease(this, at + 1);
    }

    /** All that the batch led to has arrived where it goes. By the activation. */
    synchronized void end(int count, WakeList wakes) {
        leave(count, wakes);
        done = 0;
        gone = 0;
    }

    /** Passes on what {@code outlets} hold back, and with it the items that are done. By the courier. */
    synchronized void passOn(Outlet[] outlets, WakeList wakes) {
        int end = (int) DONE.getAcquire(this); // before the look at what they emitted
        for (Outlet outlet : outlets) {
            outlet.passOn(wakes);
        }
        leave(end, wakes);
    }

    /** Those up to {@code end} that are left leave. Under this lock. */
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
