package dev.jacquard.flow.runtime;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A first-in, first-out queue: a ring that doubles when it is full. Slots are cleared, so that a taken item can be
 * collected.
 */
final class Ring implements ItemQueue {
    private @Nullable Object[] slots = new @Nullable Object[64];
    private int head;
    private int size;

    @Override
    public void add(@Nullable Object[] items, int from, int count) {
        if (size + count > slots.length) {
            grow(size + count);
        }
        int tail = (head + size) & (slots.length - 1);
        int first = Math.min(count, slots.length - tail);
        System.arraycopy(items, from, slots, tail, first);
        System.arraycopy(items, from + first, slots, 0, count - first);
        size += count;
    }

    @Override
    public void putBack(@Nullable Object[] items, int from, int count) {
        if (size + count > slots.length) {
            grow(size + count);
        }
        head = (head - count) & (slots.length - 1);
        int first = Math.min(count, slots.length - head);
        System.arraycopy(items, from, slots, head, first);
        System.arraycopy(items, from + first, slots, 0, count - first);
        size += count;
    }

    @Override
    public int drainTo(@Nullable Object[] into, int most) {
        int count = Math.min(most, size);
        int first = Math.min(count, slots.length - head);
        System.arraycopy(slots, head, into, 0, first);
        System.arraycopy(slots, 0, into, first, count - first);
        Arrays.fill(slots, head, head + first, null);
        Arrays.fill(slots, 0, count - first, null);
        head = (head + count) & (slots.length - 1);
        size -= count;
        return count;
    }

    /** Removes the next item; there is one. */
    Object take() {
        Object item = Objects.requireNonNull(slots[head]);
        slots[head] = null;
        head = (head + 1) & (slots.length - 1);
        size--;
        return item;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public void clear() {
        Arrays.fill(slots, null);
        head = 0;
        size = 0;
    }

    private void grow(int needed) {
        @Nullable Object[] larger = new @Nullable Object[Integer.highestOneBit(needed - 1) << 1];
        int first = Math.min(size, slots.length - head);
        System.arraycopy(slots, head, larger, 0, first);
        System.arraycopy(slots, 0, larger, first, size - first);
        slots = larger;
        head = 0;
    }
}
