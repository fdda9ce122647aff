package dev.jacquard.memory.coherence;

import org.jspecify.annotations.Nullable;

/**
 * Things by growing numbers, of which mostly the oldest go. Adding, and removing the oldest, touch one place of an
 * array; what is found by its number is found by bisection.
 *
 * <p>What is removed from the middle leaves a gap, until its neighbours towards one end are gone, or there are more
 * gaps than things when the array is full.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 *
 * @param <T> what is kept
 */
final class NumberedQueue<T> {
    /** The numbers of what is kept, and of gaps; what was added n-th is at n modulo the length, a power of two. */
    private long[] numbers = new long[8];
    /** The things, in the same places; null for gaps. */
    private @Nullable Object[] things = new @Nullable Object[8];
    /** The place of the oldest: no gap, unless it is that behind the newest. */
    private long first;
    /** The place behind the newest. */
    private long end;

    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    /** Returns the place of the oldest; that of the newest is {@link #below} of the largest number. */
    long first() {
        return first;
    }

    /** Returns the number of what is, or was, in a place. */
    long number(long place) {
        return numbers[index(place)];
    }

    /** Returns what is in a place, from the first to the newest; null for a gap. */
    @SuppressWarnings("unchecked") // only add() writes it
    @Nullable
    T at(long place) {
        return (T) things[index(place)];
    }

    private int index(long place) {
        return (int) place & (numbers.length - 1);
    }

    /** Adds something whose number is greater than that of any other. */
    void add(long number, T thing) {
        if (end - first == numbers.length) {
            makeRoom();
        }
        numbers[index(end)] = number;
        things[index(end)] = thing;
        end++;
        size++;
    }

    private void makeRoom() {
        long[] oldNumbers = numbers;
        @Nullable Object[] oldThings = things;
        int mask = oldNumbers.length - 1;
        int length = size > oldNumbers.length / 2 ? 2 * oldNumbers.length : oldNumbers.length;
        numbers = new long[length];
        things = new @Nullable Object[length];
        int kept = 0;
        for (long place = first; place < end; place++) {
            Object thing = oldThings[(int) place & mask];
            if (thing != null) {
                numbers[kept] = oldNumbers[(int) place & mask];
                things[kept++] = thing;
            }
        }
        first = 0;
        end = kept;
    }

    /**
     * Returns the place of the newest, or of a gap, whose number is less than {@code number}; one below the first for
     * none.
     */
    long below(long number) {
        if (end == first || number(end - 1) < number) {
            return end - 1;
        }
        long low = first; // all before are less
        long high = end - 1; // all from here on are not
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (number(middle) < number) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    /** Removes what has that number, and returns it; null if there is no such thing. */
    @Nullable
    T remove(long number) {
        long place = end > first && number(first) == number ? first : below(number) + 1;
        T removed = place == end || number(place) != number ? null : at(place);
        if (removed != null) {
            things[index(place)] = null;
            size--;
            while (first < end && things[index(first)] == null) {
                first++;
            }
            while (first < end && things[index(end - 1)] == null) {
                end--;
            }
        }
        return removed;
    }
}
