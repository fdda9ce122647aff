package dev.jacquard.flow.runtime;

import java.util.ArrayDeque;
import java.util.PriorityQueue;

/**
 * The items of a line, the eldest first: by tickets, and in the order of arrival among items of one ticket. Items
 * mostly arrive in that order, and are in a first-in, first-out queue then; the others are in a heap.
 *
 * <p>Threads: guarded by the {@link BufferGrants}.
 */
final class InOrder {
    private final ArrayDeque<Granted> queue = new ArrayDeque<>();
    private final PriorityQueue<Granted> late = new PriorityQueue<>(InOrder::compare);

    private static int compare(Granted a, Granted b) {
        return a.ticket() != b.ticket() ? Long.compare(a.ticket(), b.ticket()) : Long.compare(a.serial, b.serial);
    }

    void add(Granted item) {
        Granted newest = queue.peekLast();
        if (newest == null || compare(newest, item) < 0) {
            queue.addLast(item);
        } else {
            late.add(item);
        }
    }

    /** Returns the eldest item; there is one. */
    Granted element() {
        return isLate() ? late.element() : queue.element();
    }

    /** Removes the eldest item; there is one. */
    Granted remove() {
        return isLate() ? late.remove() : queue.remove();
    }

    private boolean isLate() {
        Granted other = late.peek();
        Granted next = queue.peekFirst();
        return other != null && (next == null || compare(other, next) < 0);
    }

    int size() {
        return queue.size() + late.size();
    }

    void clear() {
        queue.clear();
        late.clear();
    }
}
