package dev.jacquard.flow.runtime;

import org.jspecify.annotations.Nullable;

/**
 * The items that left the graph and wait to be fetched. The queue has no bound of its own: memory edges or the sender
 * bound the number of items.
 *
 * <p>Threads: all fields are guarded by this.
 */
final class OutputQueue implements ItemSink {
    private final Ring items = new Ring();
    private final Runnable signal;
    private long fetched;

    OutputQueue(Runnable signal) {
        this.signal = signal;
    }

    @Override
    public @Nullable Wakeable append(
            @Nullable Inbox none, @Nullable Object[] added, int count, @Nullable Wakeable woken) {
        boolean wasEmpty;
        synchronized (this) {
            wasEmpty = items.size() == 0;
            items.add(added, 0, count);
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

    synchronized int fetch(Object[] into) {
        int count = items.drainTo(into, into.length);
        fetched += count;
        return count;
    }

    synchronized int waiting() {
        return items.size();
    }

    synchronized long fetched() {
        return fetched;
    }
}
