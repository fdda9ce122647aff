package dev.jacquard.flow.runtime;

import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.base.concurrent.SpinLock;
import dev.jacquard.base.text.UserText;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The input of a run, where items come in from outside: one producer of the stages that the graph's input feeds.
 *
 * <p>Threads: one lock guards all fields, so that no item can come in after the end was announced. The lock is an
 * outermost one. If every stage after it has an inbox, and no ledger is asked, so that no user code runs while the lock
 * is held, it is a spin lock: an item that is sent alone costs one atomic update less then.
 */
final class Input {
    private final InputFeeds feeds;
    private final int bound;
    /** Where a call is noted that broke off half way. */
    private final Breakage broken;
    /** The lock; null if it is {@link #mutex}. */
    private final @Nullable SpinLock spin;

    /** A monitor: a {@code ReentrantLock} that is acquired with a full stack may throw, and is never given back. */
    private final Object mutex = new Object();

    private long sent;
    /** The number of items that {@link #sendSome} is about to send. Written under the lock, read without it. */
    private volatile int coming;

    private boolean finished;

    Input(InputFeeds feeds, int bound, Breakage broken) {
        this.feeds = feeds;
        this.bound = bound;
        this.broken = broken;
        this.spin = feeds.hasInboxesOfStagesOnly() ? new SpinLock(broken) : null;
    }

    /** Returns the number of items that may wait at each of the next stages; 0 for no bound. */
    int bound() {
        return bound;
    }

    /** Returns the number of items that every next stage has room for: an estimate without a lock. */
    int room() {
        return bound == 0 ? Integer.MAX_VALUE : bound - coming - feeds.backlog();
    }

    /** Sends the first {@code count} of {@code items} to every next stage; returns the copies to wake. */
    @Nullable
    Wakeable send(@Nullable Object[] items, int count) {
        return send(items, count, feeds.select(items, count), 0);
    }

    /** Sends items with their {@linkplain InputFeeds#select parts}; {@code reserved} of them have their room. */
    private @Nullable Wakeable send(
            @Nullable Object[] items, int count, @Nullable Object @Nullable [][] parts, int reserved) {
        boolean late;
        Wakeable woken = null;
        if (spin == null) {
            synchronized (mutex) {
                late = finished;
                release(reserved);
                if (!late) {
                    woken = append(items, count, parts);
                }
            }
        } else {
            spin.lock();
            try {
                late = finished;
                release(reserved);
                if (!late) {
                    woken = append(items, count, parts);
                }
            } finally {
                spin.unlock();
            }
        }
        if (late) {
            throw tooLate(items[0]);
        }
        return woken;
    }

    /** Counts items whose room is no longer reserved. Under the lock; a volatile write costs as much as the lock. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private void release(int reserved) {
        if (reserved != 0) {
            coming -= reserved;
        }
    }

    /** Under the lock. */
    private @Nullable Wakeable append(@Nullable Object[] items, int count, @Nullable Object @Nullable [][] parts) {
        try {
            sent += count;
            return feeds.append(items, count, parts);
        } catch (Error e) {
            broken.by = e;
            throw e;
        }
    }

    /**
     * Sends {@code items} from {@code from} on like {@link #send}, as many as there is room for. The room is reserved
     * first, so that no other call uses it while the user's functions choose edges without the lock. After an exception
     * there may be room again.
     *
     * @return the number of items that were sent
     */
    int sendSome(@Nullable Object[] items, int from, WakeList wakes) {
        int count = reserve(items.length - from);
        if (count == 0) {
            return 0;
        }
        @Nullable Object[] next = from == 0 ? items : Arrays.copyOfRange(items, from, from + count);
        @Nullable Object[][] parts;
        try {
            parts = feeds.select(next, count);
        } catch (Throwable t) {
            reserve(-count);
            throw t;
        }
        wakes.add(send(next, count, parts, count));
        return count;
    }

    /** Reserves room for up to {@code wanted} items, or gives back that of {@code -wanted}; returns the change. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private int reserve(int wanted) {
        return locked(() -> {
            int count = wanted < 0 ? wanted : Math.max(0, Math.min(room(), wanted));
            coming += count;
            return count;
        });
    }

    private static IllegalStateException tooLate(@Nullable Object item) {
        return new IllegalStateException("item " + UserText.of(Objects.requireNonNull(item))
                + " was sent after finish(): send all items before");
    }

    @Nullable
    Wakeable finish() {
        return this.<@Nullable Wakeable>locked(() -> {
            if (finished) {
                return null;
            }
            finished = true;
            try {
                return feeds.close();
            } catch (Error e) {
                broken.by = e;
                throw e;
            }
        });
    }

    /** Returns true if items may still come. */
    boolean isOpen() {
        return locked(() -> !finished && !feeds.isEmpty());
    }

    long sent() {
        return locked(() -> sent);
    }

    /** Returns the number of items that were sent through the fork with this number. */
    long sent(int fork) {
        return locked(() -> feeds.sent(fork));
    }

    private <T extends @Nullable Object> T locked(Supplier<T> action) {
        if (spin == null) {
            synchronized (mutex) {
                return action.get();
            }
        }
        spin.lock();
        try {
            return action.get();
        } finally {
            spin.unlock();
        }
    }
}
