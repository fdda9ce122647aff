package dev.jacquard.flow.runtime;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.text.UserText;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The waiting items of a task whose copies are on different targets. A plan assigns the items, the oldest first, each
 * to the copy where it is expected to end first; a copy takes the first item that the plan assigns to it, or none.
 *
 * <pre>
 *  waiting   a b c d e                 fast copy, 10 per item, free in 5:   a b c d    (ends 15 25 35 45)
 *                                      slow copy, 50 per item, free now:    e          (55 there, 50 here)
 * </pre>
 *
 * <p>No item is bound to a copy before the copy takes it, so a plan always has the latest times. A copy that leaves all
 * items to others sleeps, and looks again after the time that an item would take there.
 *
 * <p>Threads: guarded by the stage. The user's function that states sizes is called under that lock.
 */
final class RoutedItems implements ItemQueue {
    /** The most items that a plan assigns. */
    private static final int LONGEST_PLAN = 1_024;
    /** The part of the length of a plan for nothing after which the next one is made. */
    private static final int SKIPPED_PART = 8;

    private final String task;
    private final ToLongFunction<Object> sizes;
    private final BiConsumer<Object, Throwable> faults;
    private final Clock clock;
    private final TargetTimes times;
    private final List<CopyLoad> copies = new ArrayList<>();

    /** The items in a ring, and their magnitudes. */
    private @Nullable Object[] items = new @Nullable Object[64];

    private byte[] magnitudes = new byte[64];
    private int head;
    private int size;
    private int failed;

    /** The position of the item that the last plan found. */
    private int at;
    /** The number of requests for copies to wake that need no plan, since the last one assigned no item to any. */
    private int skips;

    RoutedItems(
            String task,
            ToLongFunction<Object> sizes,
            BiConsumer<Object, Throwable> faults,
            Clock clock,
            TargetTimes times) {
        this.task = task;
        this.sizes = sizes;
        this.faults = faults;
        this.clock = clock;
        this.times = times;
    }

    /** Adds a copy. Called before the start only. */
    void add(CopyLoad copy) {
        copies.add(copy);
    }

    // ---- plans

    /** Moves the item that is for {@code copy} to {@code into}; returns null if there is none. */
    CopyLoad.@Nullable Taken take(CopyLoad copy, @Nullable Object[] into) {
        if (size == 0) {
            return null;
        }
        copy.isAsked = true;
        long now = clock.nanoTime();
        if (plan(now) == null) {
            return null;
        }
        int magnitude = magnitudes[slot(at)];
        into[0] = remove(at);
        CopyLoad.Taken taken = copy.take(magnitude, times.expected(copy.target, magnitude), now);
        times.took(copy.target, magnitude);
        return taken;
    }

    /** Returns true if a waiting item is for {@code copy}, which is about to sleep otherwise. */
    boolean hasFor(CopyLoad copy) {
        copy.isAsked = true;
        boolean has = plan(clock.nanoTime()) != null;
        skips = has ? skips : 0;
        return has;
    }

    /**
     * Returns true if a copy that sleeps is to be looked for. After a plan that found none, this is not so for a number
     * of calls in proportion to the length of that plan.
     */
    boolean isPlanDue() {
        return size > 0 && skips-- <= 0;
    }

    /** Returns the copy, of those that are asked, to which the first item for one of these goes; null for none. */
    @Nullable
    CopyLoad next() {
        CopyLoad found = plan(clock.nanoTime());
        skips = found == null ? Math.min(size, LONGEST_PLAN) / SKIPPED_PART : 0;
        return found;
    }

    /**
     * Assigns waiting items until one is for a copy that is asked for; returns the copy, and no copy is asked for any
     * more. The item is {@link #at}. Returns null if all items are for other copies.
     */
    private @Nullable CopyLoad plan(long now) {
        boolean anyServes = false;
        for (CopyLoad copy : copies) {
            anyServes |= !copy.isOut;
        }
        for (CopyLoad copy : copies) {
            copy.freeIn = copy.isOut && anyServes ? Double.POSITIVE_INFINITY : copy.remaining(now);
        }
        CopyLoad found = null;
        int most = Math.min(size, LONGEST_PLAN);
        for (int i = 0; found == null && i < most; i++) {
            int magnitude = magnitudes[slot(i)];
            CopyLoad best = best(magnitude);
            best.freeIn += times.expected(best.target, magnitude);
            if (best.isAsked) {
                found = best;
                at = i;
            }
        }
        for (CopyLoad copy : copies) {
            copy.isAsked = false;
        }
        return found;
    }

    /**
     * Returns the copy to which an item goes: one that has to be measured, or else the one where the item ends first.
     */
    private CopyLoad best(int magnitude) {
        CopyLoad best = copies.getFirst();
        double end = Double.POSITIVE_INFINITY;
        double least = Double.POSITIVE_INFINITY;
        for (CopyLoad copy : copies) {
            if (copy.freeIn == 0 && copy.isFree() && times.isDue(copy.target, magnitude)) {
                return copy;
            }
            double nanos = times.expected(copy.target, magnitude);
            double its = copy.freeIn + nanos;
            if (its < end || (its == end && nanos < least)) {
                best = copy;
                end = its;
                least = nanos;
            }
        }
        return best;
    }

    /** Returns the time after which a sleeping copy looks again; negative if it need not, since no item waits. */
    double patience(CopyLoad copy) {
        return size == 0 ? -1 : times.expected(copy.target, magnitudes[head]);
    }

    /** Records the end of an item. */
    void ended(CopyLoad copy, CopyLoad.Taken item, boolean well) {
        double nanos = copy.end(item, clock.nanoTime(), well);
        times.ended(copy.target, item.magnitude(), nanos, well);
    }

    // ---- the ring

    private int slot(int position) {
        return (head + position) & (items.length - 1);
    }

    private Object remove(int position) {
        Object item = Objects.requireNonNull(items[slot(position)]);
        for (int i = position; i > 0; i--) {
            items[slot(i)] = items[slot(i - 1)];
            magnitudes[slot(i)] = magnitudes[slot(i - 1)];
        }
        items[head] = null;
        head = slot(1);
        size--;
        return item;
    }

    @Override
    public void add(@Nullable Object[] added, int from, int count) {
        for (int i = from; i < from + count; i++) {
            Object item = Objects.requireNonNull(added[i]);
            int magnitude = magnitude(item);
            if (magnitude >= 0) {
                grow();
                items[slot(size)] = item;
                magnitudes[slot(size)] = (byte) magnitude;
                size++;
            }
        }
        skips = size == count ? 0 : skips;
    }

    /** Returns the magnitude of an item; -1, after it is counted and reported, if the user's function throws. */
    private int magnitude(Object queued) {
        Object item = Numbered.itemOf(queued);
        try {
            long bytes = sizes.applyAsLong(item);
            if (bytes < 0) {
                throw new IllegalArgumentException("task \"" + task + "\" states a size of " + bytes + " for item "
                        + UserText.of(item) + ": 0 or more");
            }
            return TargetTimes.magnitude(bytes);
        } catch (Throwable t) {
            failed++;
            faults.accept(item, t);
            return -1;
        }
    }

    private void grow() {
        if (size < items.length) {
            return;
        }
        @Nullable Object[] more = new @Nullable Object[2 * size];
        byte[] their = new byte[2 * size];
        for (int i = 0; i < size; i++) {
            more[i] = items[slot(i)];
            their[i] = magnitudes[slot(i)];
        }
        items = more;
        magnitudes = their;
        head = 0;
    }

    @Override
    public void putBack(@Nullable Object[] back, int from, int count) {
        if (count > 0) {
            throw new IllegalStateException("copies of routed tasks take one item at a time, and begin it");
        }
    }

    /** Moves items to {@code into} after the last copy has ended; returns their number. */
    @Override
    public int drainTo(@Nullable Object[] into, int most) {
        int count = 0;
        while (count < most && size > 0) {
            into[count++] = remove(0);
        }
        return count;
    }

    @Override
    public int takeFailed() {
        int now = failed;
        failed = 0;
        return now;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public void clear() {
        while (size > 0) {
            Object _ = remove(0);
        }
    }
}
