package dev.jacquard.memory.coherence;

import org.jspecify.annotations.Nullable;

/**
 * Things by growing numbers, of which mostly the oldest go. Adding, and removing the oldest, touch one place of an
 * array; a search by number is a bisection.
 *
 * <p>A thing removed from the middle leaves a gap, until its neighbours towards one end are gone, or there are more
 * gaps than things when the array is full.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 *
 * @param <T> the type of things
 */
final class NumberedQueue<T> {
    /** The numbers of things, and of gaps; the thing added n-th is at n modulo the length, a power of two. */
    private long[] numbers = new long[8];
    /** The things, in the same places; null for gaps. */
    private @Nullable Object[] things = new @Nullable Object[8];
    /** The place of the oldest: no gap, unless it is the place after the newest. */
    private long first;
    /** The place after the newest. */
    private long end;

    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    /** Returns the place of the oldest; that of the newest is {@link #below} of the largest number. */
    long first() {
        return first;
    }

    /** Returns the number of the thing that is, or was, in a place. */
    long number(long place) {
        return numbers[index(place)];
    }

    /** Returns the thing in a place, from the first to the newest; null for a gap. */
    @SuppressWarnings("unchecked") // only add() writes it
    @Nullable
    T at(long place) {
        return (T) things[index(place)];
    }

    private int index(long place) {
        return (int) place & (numbers.length - 1);
    }

    /** Adds a thing with a number greater than that of any other. */
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
     * Returns the last place, of a thing or a gap, with a number less than {@code number}; one below the first for
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

    /** Removes the thing with that number, and returns it; null if there is none. */
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
