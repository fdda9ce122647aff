package dev.jacquard.flow.runtime;

import org.jspecify.annotations.Nullable;

/**
 * The input of a run, where items come in from outside: one producer of the stages that the graph's input feeds.
 *
 * <p>Threads: all fields are guarded by this, so that no item can come in after the end was announced. The lock is an
 * outermost one.
 */
final class Input {
    private final Feed feed;
    private final int bound;
    private long sent;
    private boolean finished;

    Input(ItemSink[] targets, int bound, BufferGrants ledger) {
        this.feed = new Feed(targets, ledger, true);
        this.bound = bound;
    }

    /** Returns the number of items that every stage behind has room for: an estimate without a lock. */
    int room() {
        return bound == 0 ? Integer.MAX_VALUE : bound - feed.backlog();
    }

    /** Sends the first {@code count} of {@code items} to every stage behind; returns the copies to wake. */
    synchronized @Nullable Wakeable send(@Nullable Object[] items, int count) {
        if (finished) {
            throw new IllegalStateException("item " + items[0] + " was sent after finish(): send all items before");
        }
        sent += count;
        return feed.append(items, null, count);
    }

    synchronized @Nullable Wakeable finish() {
        boolean again = finished;
        finished = true;
        return again ? null : feed.close(null);
    }

    /** Returns true if items may still come. */
    synchronized boolean isOpen() {
        return !finished && !feed.isEmpty();
    }

    synchronized long sent() {
        return sent;
    }
}
