package dev.jacquard.flow.runtime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place of items that may still ask a memory edge: the tickets of the items that are there now, and the requests that
 * wait until the least ticket leaves.
 *
 * <p>Arrivals and departures are two heaps; a ticket at the top of both is removed from both. Tickets mostly come in
 * order: these are in a queue beside each heap.
 *
 * <p>Threads: guarded by the {@link BufferGrants}.
 */
final class TicketSet {
    /** The name of the stage or other owner of the items here, for messages. */
    final String of;
    /** The depth in the graph, in halves of a task: see {@link Line}. */
    final int depth;
    /** The requests with a first item that is not in turn because of an item here. */
    private final List<Request> blocked = new ArrayList<>(0);

    private final Numbers arrived = new Numbers();
    private final Numbers left = new Numbers();
    private boolean closed;

    TicketSet(String of, int depth) {
        this.of = of;
        this.depth = depth;
    }

    void arrive(long ticket) {
        if (!closed) {
            arrived.add(ticket);
        }
    }

    void leave(long ticket) {
        if (!closed) {
            left.add(ticket);
            least(); // now: the next line may never ask, and both heaps would grow
        }
    }

    /** Returns the least ticket of an item that is here; {@link Long#MAX_VALUE} if there is none. */
    long least() {
        while (left.size() > 0 && left.least() == arrived.least()) {
            left.remove();
            arrived.remove();
        }
        return arrived.least();
    }

    /** Looks again at the requests that are blocked here, since the least ticket may have changed. */
    void unblock(GrantState state, WakeList wakes) {
        for (int i = blocked.size() - 1; i >= 0; i--) {
            if (i < blocked.size()) { // a look may remove others
                blocked.get(i).look(state, wakes);
            }
        }
    }

    /** Moves {@code request} from the place where it was blocked to another, if any; returns that. */
    static @Nullable TicketSet move(Request request, @Nullable TicketSet from, @Nullable TicketSet to) {
        if (from != to) {
            if (from != null) {
                from.blocked.remove(request);
            }
            if (to != null) {
                to.blocked.add(request);
            }
        }
        return to;
    }

    /** Returns the number of arrivals and departures in the heaps; for tests. */
    int remembered() {
        return arrived.size() + left.size();
    }

    /** Removes all items and ignores later ones, since the stage has ended. */
    void close() {
        closed = true;
        arrived.clear();
        left.clear();
    }

    /** Numbers, the least first. */
    private static final class Numbers {
        /** Numbers that came in order: a ring, of which the length is a power of two. */
        private long[] ring = new long[16];

        private int first;
        private int count;
        /** The others. */
        private final Heap heap = new Heap();

        int size() {
            return count + heap.size;
        }

        long least() {
            return Math.min(head(), heap.least());
        }

        private long head() {
            return count == 0 ? Long.MAX_VALUE : ring[first];
        }

        void add(long number) {
            if (count > 0 && number < ring[(first + count - 1) & (ring.length - 1)]) {
                heap.add(number);
                return;
            }
            if (count == ring.length) {
                long[] larger = new long[2 * count];
                System.arraycopy(ring, first, larger, 0, count - first);
                System.arraycopy(ring, 0, larger, count - first, first);
                ring = larger;
                first = 0;
            }
            ring[(first + count++) & (ring.length - 1)] = number;
        }

        /** Removes the least number; there is one. */
        void remove() {
            if (heap.size > 0 && heap.least() < head()) {
                heap.remove();
            } else {
                first = (first + 1) & (ring.length - 1);
                count--;
            }
        }

        void clear() {
            count = 0;
            heap.size = 0;
        }
    }

    /** A binary heap of numbers, the least first. */
    private static final class Heap {
        private long[] numbers = {};
        private int size;

        long least() {
            return size == 0 ? Long.MAX_VALUE : numbers[0];
        }

        void add(long number) {
            if (size == numbers.length) {
                numbers = Arrays.copyOf(numbers, Math.max(16, 2 * size));
            }
            int at = size++;
            while (at > 0 && numbers[(at - 1) >> 1] > number) {
                numbers[at] = numbers[(at - 1) >> 1];
                at = (at - 1) >> 1;
            }
            numbers[at] = number;
        }

        void remove() {
            long last = numbers[--size];
            int at = 0;
            while (true) {
                int child = 2 * at + 1;
                if (child >= size) {
                    break;
                }
                if (child + 1 < size && numbers[child + 1] < numbers[child]) {
                    child++;
                }
                if (numbers[child] >= last) {
                    break;
                }
                numbers[at] = numbers[child];
                at = child;
            }
            numbers[at] = last;
        }
    }
}
