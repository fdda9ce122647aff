package dev.jacquard.memory.coherence;

import org.jspecify.annotations.Nullable;

/**
 * Values by numbers that grow: a ring in which the oldest are removed at one end, and others leave gaps.
 *
 * <pre>
 *   first                                  first + length - 1
 *     | 3 | 4 | gap | 9 | gap | gap | 12 |        numbers grow; neither end is a gap; at most 3 of 4 are gaps
 * </pre>
 *
 * <p>Adding and removing take constant time in the mean, but for a binary search; neither allocates unless the ring
 * grows. Guarded by the lock of the {@link Coherence}.
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
    /** Null in gaps. */
    private @Nullable Object[] values = {};

    private int first;
    private int length;
    /** The number of entries that are no gaps. */
    private int live;

    boolean isEmpty() {
        return live == 0;
    }

    /** Adds a value, whose number is greater than that of any other. */
    void add(long number, T value) {
        if (length == numbers.length) {
            resize(Math.max(SMALL, Integer.highestOneBit(2 * live + 1) * 2));
        }
        int slot = slot(length++);
        numbers[slot] = number;
        values[slot] = value;
        live++;
    }

    /** Removes the value of that number and returns it; null when there is none. */
    @Nullable
    T remove(long number) {
        int position = lowest(number);
        if (position == length || numbers[slot(position)] != number) {
            return null;
        }
        T value = at(position);
        if (value == null) {
            return null;
        }
        values[slot(position)] = null;
        live--;
        trim();
        return value;
    }

    /** Removes gaps at both ends, and all when they are many. */
    private void trim() {
        while (length > 0 && values[slot(length - 1)] == null) {
            length--;
        }
        while (length > 0 && values[first] == null) {
            first = slot(1);
            length--;
        }
        if (live == 0 && numbers.length >= LARGE) {
            resize(SMALL);
        } else if (length > SMALL && length > 4 * live) {
            resize(numbers.length);
        }
    }

    /** Returns the position of the last value whose number is less than {@code number}; {@link #NONE} for none. */
    int before(long number) {
        return previous(lowest(number));
    }

    /** Returns the position of the last value before {@code position}; {@link #NONE} for none. */
    int previous(int position) {
        int at = position - 1;
        while (at >= 0 && values[slot(at)] == null) {
            at--;
        }
        return at;
    }

    long number(int position) {
        return numbers[slot(position)];
    }

    /** Returns the value at that position; null in a gap. */
    @SuppressWarnings("unchecked")
    @Nullable
    T at(int position) {
        return (T) values[slot(position)];
    }

    /** The position of the first entry, or gap, whose number is not less than {@code number}; the length for none. */
    private int lowest(long number) {
        if (length == 0 || numbers[first] >= number) {
            return 0; // the oldest, as in most cases
        }
        int from = 1;
        int to = length;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (numbers[slot(middle)] < number) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    private int slot(int position) {
        return (first + position) & (numbers.length - 1);
    }

    /** Moves all to a ring of that many slots, without gaps. */
    private void resize(int slots) {
        long[] itsNumbers = new long[slots];
        @Nullable Object[] itsValues = new @Nullable Object[slots];
        int count = 0;
        for (int i = 0; i < length; i++) {
            Object value = values[slot(i)];
            if (value != null) {
                itsNumbers[count] = numbers[slot(i)];
                itsValues[count++] = value;
            }
        }
        numbers = itsNumbers;
        values = itsValues;
        first = 0;
        length = count;
    }
}
