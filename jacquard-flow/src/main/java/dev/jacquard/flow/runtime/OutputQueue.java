package dev.jacquard.flow.runtime;

import dev.jacquard.base.concurrent.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The items that left the graph and wait to be fetched, and the count of those that the user has. The queue takes every
 * item, since no body may block; a sender waits while the queue {@linkplain #isFull is full}.
 *
 * <p>Threads: all fields are guarded by this, except the count of handed-out items.
 */
final class OutputQueue implements ItemSink {
    private static final VarHandle HANDED_OUT = Fields.handle(MethodHandles.lookup(), "handedOut", long.class);

    private final Ring items = new Ring();
    private final Runnable signal;
    /** The number of items at which senders wait; 0 for no bound. */
    private final int bound;
    /** The number of {@link #items}, for threads without the lock. */
    private final Backlog unread = new Backlog();

    private long fetched;
    /**
     * The number of fetched items that the user has. Written by the thread that iterates, one at a time, and read by
     * any: opaque, since nothing but a count is published. Under the lock it is at most {@link #fetched}, which the
     * same thread has raised before.
     */
    private long handedOut;

    OutputQueue(int bound, Runnable signal) {
        this.bound = bound;
        this.signal = signal;
    }

    @Override
    public @Nullable Wakeable append(
            @Nullable Inbox none, @Nullable Object[] added, int count, @Nullable Wakeable woken) {
        boolean wasEmpty;
        synchronized (this) {
            wasEmpty = items.size() == 0;
            items.add(added, 0, count);
            unread.set(items.size());
        }
        if (wasEmpty) {
            signal.run(); // the fetching thread takes all items, so it can only wait for the first
        }
        return woken;
    }

    @Override
    public @Nullable Wakeable producerDone(@Nullable Wakeable woken) {
        return woken; // the fetching thread waits for the end of the run, which signals
    }

    /** Moves items to {@code into}, at most as many as the bound; returns their number. Never waits. */
    int fetch(@Nullable Object[] into) {
        return fetch(into, into.length);
    }

    /** Moves items to {@code into}, at most {@code most} and the bound; returns their number. Never waits. */
    int fetch(@Nullable Object[] into, int most) {
        int count;
        boolean makesRoom;
        synchronized (this) {
            boolean wasFull = isFull();
            count = items.drainTo(into, bound == 0 ? most : Math.min(bound, most));
            fetched += count;
            unread.set(items.size());
            makesRoom = wasFull && !isFull();
        }
        if (makesRoom) {
            signal.run();
        }
        return count;
    }

    /** Returns the number of items that wait to be fetched; needs no lock. */
    int waiting() {
        return unread.get();
    }

    /** Returns true if senders wait until items are fetched; needs no lock. */
    boolean isFull() {
        return bound > 0 && unread.get() >= bound;
    }

    int bound() {
        return bound;
    }

    /** Counts a fetched item that is handed to the user. Called by the thread that iterates. */
    void handedOut() {
        HANDED_OUT.setOpaque(this, handedOut + 1);
    }

    /** Returns the number of items that the user has; needs no lock. */
    long delivered() {
        return (long) HANDED_OUT.getOpaque(this);
    }

    /** Returns the number of items that the user does not have, fetched or not. */
    synchronized long undelivered() {
        return items.size() + fetched - delivered();
    }
}
