package dev.jacquard.flow.runtime;

import java.util.Comparator;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The least item first, by the user's comparator; first in, first out among equals. */
final class PriorityItems implements ItemQueue {
    private final PriorityQueue<Entry> heap;
    private long serial;

    PriorityItems(Comparator<Object> order) {
        heap = new PriorityQueue<>((a, b) -> {
            int byItem = order.compare(Granted.itemOf(a.item), Granted.itemOf(b.item));
            return byItem != 0 ? byItem : Long.compare(a.serial, b.serial);
        });
    }

    @Override
    public void add(@Nullable Object[] items, int from, int count) {
        for (int i = from; i < from + count; i++) {
            heap.add(new Entry(Objects.requireNonNull(items[i]), serial++));
        }
    }

    @Override
    public int drainTo(Object[] into, int most) {
        int count = 0;
        while (count < most && !heap.isEmpty()) {
            into[count++] = heap.remove().item;
        }
        return count;
    }

    @Override
    public int size() {
        return heap.size();
    }

    @Override
    public void clear() {
        heap.clear();
    }

    private record Entry(Object item, long serial) {}
}
