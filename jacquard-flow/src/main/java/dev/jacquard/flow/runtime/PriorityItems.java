package dev.jacquard.flow.runtime;

import java.util.Comparator;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A queue. Its next item is the least by the user's comparator; first in, first out among equal items.
 *
 * <p>A comparator that throws leaves the heap intact: the exception is caught within the comparison, and the item that
 * was added or taken is discarded, counted, and reported.
 */
final class PriorityItems implements ItemQueue {
    private final Comparator<Entry> entries;
    private final PriorityQueue<Entry> heap;
    private final BiConsumer<Object, Throwable> faults;
    private long serial;
    /** The exception of the comparator since the last check; null if there was none. */
    private @Nullable Throwable thrown;

    private int failed;

    /**
     * Creates an empty queue.
     *
     * @param eldestFirst whether smaller tickets come first, and the order decides only among items of one ticket
     */
    PriorityItems(Comparator<Object> order, boolean eldestFirst, BiConsumer<Object, Throwable> faults) {
        this.faults = faults;
        this.entries = (a, b) -> {
            int byTicket = eldestFirst ? Long.compare(Numbered.ticketOf(a.item), Numbered.ticketOf(b.item)) : 0;
            if (byTicket != 0) {
                return byTicket;
            }
            int byItem = compare(order, a.item, b.item);
            return byItem != 0 ? byItem : Long.compare(a.serial, b.serial);
        };
        this.heap = new PriorityQueue<>(entries);
    }

    private int compare(Comparator<Object> order, Object a, Object b) {
        try {
            return order.compare(Numbered.itemOf(a), Numbered.itemOf(b));
        } catch (Throwable t) {
            thrown = t;
            return 0;
        }
    }

    @Override
    public void add(@Nullable Object[] items, int from, int count) {
        for (int i = from; i < from + count; i++) {
            Entry entry = new Entry(Objects.requireNonNull(items[i]), serial++);
            heap.add(entry);
            if (isAtFault(entry)) {
                heap.remove(entry);
                thrown = null;
            }
        }
    }

    @Override
    public void putBack(@Nullable Object[] items, int from, int count) {
        add(items, from, count);
    }

    @Override
    public int drainTo(@Nullable Object[] into, int most) {
        int count = 0;
        while (count < most && !heap.isEmpty()) {
            Entry entry = heap.remove();
            if (!isAtFault(entry)) {
                into[count++] = entry.item;
            }
        }
        return count;
    }

    /** Removes and returns the least item with {@code ticket}; null if there is none. Looks at all items. */
    @Nullable
    Object removeOf(long ticket) {
        Entry least = null;
        for (Entry entry : heap) {
            if (Numbered.ticketOf(entry.item) == ticket && (least == null || entries.compare(entry, least) < 0)) {
                least = entry;
            }
        }
        if (least == null) {
            return null;
        }
        heap.remove(least);
        return isAtFault(least) ? null : least.item;
    }

    private boolean isAtFault(Entry entry) {
        Throwable problem = thrown;
        if (problem == null) {
            return false;
        }
        thrown = null;
        failed++;
        faults.accept(Numbered.itemOf(entry.item), problem);
        return true;
    }

    @Override
    public int takeFailed() {
        int now = failed;
        failed = 0;
        return now;
    }

    @Override
    public int size() {
        return heap.size();
    }

    @Override
    public void clear() {
        heap.clear();
    }

    /** An item in the heap. Equal only to itself: a user's item may have an equals that throws. */
    private static final class Entry {
        private final Object item;
        private final long serial;

        Entry(Object item, long serial) {
            this.item = item;
            this.serial = serial;
        }
    }
}
