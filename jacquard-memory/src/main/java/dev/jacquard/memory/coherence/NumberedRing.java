package dev.jacquard.memory.coherence;

import org.jspecify.annotations.Nullable;

/**
 * Values by numbers that grow, in a ring: the oldest come first.
 *
 * <p>A value is found by binary search. Adding one takes constant time in the mean; removing one moves those before or
 * behind it, whichever are fewer: none where the oldest go first. Neither allocates unless the ring grows.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 *
 * @param <T> the values
 */
final class NumberedRing<T> {
    /** No position. */
    static final int NONE = -1;
    /** The slots of a ring at first, and of one that has become empty. A power of two, as all sizes are. */
    private static final int SMALL = 4;
    /** The number of slots from which a ring that has become empty is made small again. */
    private static final int LARGE = 256;

    private long[] numbers = {};
    private @Nullable Object[] values = {};

    /** The slot of the oldest value. */
    private int first;

    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    /** Adds a value, whose number is greater than that of any other. */
    void add(long number, T value) {
        if (size == numbers.length) {
            resize(Math.max(SMALL, 2 * size));
        }
        set(size++, number, value);
    }

    /** Removes the value of that number and returns it; null when there is none. */
    @Nullable
    T remove(long number) {
        int position = lowest(number);
        if (position == size || number(position) != number) {
            return null;
        }
        T value = at(position);
        if (position < size / 2) {
            for (int i = position; i > 0; i--) {
                set(i, number(i - 1), at(i - 1));
            }
            values[first] = null;
            first = slot(1);
        } else {
            for (int i = position + 1; i < size; i++) {
                set(i - 1, number(i), at(i));
            }
            values[slot(size - 1)] = null;
        }
        size--;
        if (size == 0 && numbers.length >= LARGE) {
            resize(SMALL);
        }
        return value;
    }

    /** Returns the position of the last value whose number is less than {@code number}; {@link #NONE} for none. */
    int before(long number) {
        return lowest(number) - 1;
    }

    long number(int position) {
        return numbers[slot(position)];
    }

    /** Returns the value at a position, from 0 on; the value before it is at the position before. */
    @SuppressWarnings({"unchecked", "NullAway"}) // there is one at each position
    T at(int position) {
        return (T) values[slot(position)];
    }

    /** The position of the first value whose number is not less than {@code number}; the size for none. */
    private int lowest(long number) {
        if (size == 0 || numbers[first] >= number) {
            return 0; // the oldest, as in most cases
        }
        int from = 1;
        int to = size;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (number(middle) < number) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    private void set(int position, long number, T value) {
        int slot = slot(position);
        numbers[slot] = number;
        values[slot] = value;
    }

    private int slot(int position) {
        return (first + position) & (numbers.length - 1);
    }

    /** Moves all to a ring of that many slots. */
    private void resize(int slots) {
        long[] itsNumbers = new long[slots];
        @Nullable Object[] itsValues = new @Nullable Object[slots];
        for (int i = 0; i < size; i++) {
            itsNumbers[i] = number(i);
            itsValues[i] = at(i);
        }
        numbers = itsNumbers;
        values = itsValues;
        first = 0;
    }
}
