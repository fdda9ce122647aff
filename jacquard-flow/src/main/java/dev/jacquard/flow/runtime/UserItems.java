package dev.jacquard.flow.runtime;

import dev.jacquard.flow.task.WaitingItems;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A queue whose order, and number of items, are the user's.
 *
 * <p>Dropped items are only counted where nothing depends on them. Where they hold buffers or tickets, or are on a
 * circle, they come out before all others as {@link Dropped} items, which a copy settles.
 *
 * <p>An item with a ticket finds its ticket again by its identity. An item that stands for merged ones takes the ticket
 * of one of those that wait: the tickets that leave are those that came.
 */
final class UserItems implements ItemQueue {
    private final WaitingItems<Object> items;
    private final BiConsumer<Object, Throwable> faults;
    /** True if copies settle dropped items. */
    private final boolean settles;

    /** The items with tickets that wait, by the user's items. */
    private final IdentityHashMap<Object, Deque<Numbered>> numbered = new IdentityHashMap<>(0);
    /** Items that come out before all others: dropped ones, and those that were put back. */
    private final Ring first = new Ring();

    /** The number of items that the user's queue holds. */
    private int waiting;

    private int dropped;
    private int failed;

    UserItems(WaitingItems<Object> items, boolean settles, BiConsumer<Object, Throwable> faults) {
        this.items = items;
        this.settles = settles;
        this.faults = faults;
    }

    @Override
    public void add(@Nullable Object[] added, int from, int count) {
        for (int i = from; i < from + count; i++) {
            add(Objects.requireNonNull(added[i]));
        }
    }

    private void add(Object queued) {
        Object item = Numbered.itemOf(queued);
        waiting++;
        if (queued instanceof Numbered its) {
            numbered.computeIfAbsent(item, _ -> new ArrayDeque<>(1)).add(its);
        }
        try {
            items.add(item, this::drop);
        } catch (Throwable t) {
            fail(item, t);
        }
    }

    /** Called by the user's queue. */
    private void drop(Object item) {
        if (waiting == 0) {
            throw new IllegalStateException("more items were reported as dropped than came: report each once");
        }
        waiting--;
        if (settles) {
            first.add(new Object[] {new Dropped(queued(item))}, 0, 1);
        } else {
            dropped++;
        }
    }

    /** Returns the queued form of an item that leaves. */
    private Object queued(Object item) {
        Deque<Numbered> its = numbered.get(item);
        if (its == null && numbered.isEmpty()) {
            return item;
        }
        Object key = item;
        if (its == null) { // merged of others
            key = numbered.keySet().iterator().next();
            its = Objects.requireNonNull(numbered.get(key));
        }
        Numbered found = its.remove();
        if (its.isEmpty()) {
            numbered.remove(key);
        }
        return found.item == item ? found : Slotted.like(found, item);
    }

    @Override
    public void putBack(@Nullable Object[] items, int from, int count) {
        first.putBack(items, from, count);
    }

    @Override
    public int drainTo(@Nullable Object[] into, int most) {
        int count = first.drainTo(into, most);
        while (count < most && waiting > 0) {
            try {
                Object next = items.next(this::drop);
                if (next != null) {
                    if (waiting == 0) {
                        throw new IllegalStateException("next() returned an item that was reported as dropped");
                    }
                    into[count++] = queued(next);
                    waiting--;
                } else if (waiting > 0) {
                    throw new IllegalStateException("next() returned null, and " + waiting
                            + " items wait: report each item that leaves otherwise as dropped");
                }
            } catch (Throwable t) {
                fail("the next item", t);
            }
        }
        return count;
    }

    /** Counts an item that waits as failed; the run stops. */
    private void fail(Object item, Throwable problem) {
        waiting = Math.max(0, waiting - 1);
        failed++;
        faults.accept(item, problem);
    }

    @Override
    public int takeFailed() {
        int now = failed;
        failed = 0;
        return now;
    }

    @Override
    public int takeDropped() {
        int now = dropped;
        dropped = 0;
        return now;
    }

    @Override
    public int size() {
        return waiting + first.size();
    }

    @Override
    public void clear() {
        waiting = 0;
        first.clear();
        numbered.clear();
    }
}
