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
    private final ItemSink[] targets;
    private final int bound;
    private long sent;
    private boolean finished;

    Input(ItemSink[] targets, int bound, BufferGrants ledger) {
        this.targets = targets;
        this.feed = new Feed(targets, ledger);
        this.bound = bound;
    }

    /** Returns the number of items that every stage behind has room for: an estimate without a lock. */
    int room() {
        int room = Integer.MAX_VALUE;
        for (ItemSink target : targets) {
            if (bound > 0 && target instanceof Stage stage) {
                room = Math.min(room, bound - stage.backlog());
            }
        }
        return room;
    }

    /** Sends the first {@code count} of {@code items} to every stage behind; returns the copies to wake. */
    synchronized @Nullable TaskInstance send(@Nullable Object[] items, int count) {
        if (finished) {
            throw new IllegalStateException("item " + items[0] + " was sent after finish(): send all items before");
        }
        sent += count;
        @Nullable Object[] numbered = feed.arrive(items, null, count);
        TaskInstance woken = null;
        for (ItemSink target : targets) {
            @Nullable Object[] given = feed.isNumbered(target) ? numbered : items;
            woken = target instanceof Stage stage
                    ? stage.appendFromOutside(given, count, woken)
                    : target.append(given, count, woken);
        }
        return woken;
    }

    synchronized @Nullable TaskInstance finish() {
        TaskInstance woken = null;
        if (!finished) {
            finished = true;
            for (ItemSink target : targets) {
                woken = target.producerDone(woken);
                if (target instanceof Stage stage && stage.cycle() != null) {
                    woken = stage.cycle().give(1, woken);
                }
            }
        }
        return woken;
    }

    /** Returns true if items may still come. */
    synchronized boolean isOpen() {
        return !finished && targets.length > 0;
    }

    synchronized long sent() {
        return sent;
    }
}
