package dev.jacquard.core.graph;

/**
 * A set of tags without a bound, of which it keeps 128 bits each: a loop may make a tag per step, and no tag that was
 * added may be missed. Of a billion tags, two share those bits with a probability of 1e-21.
 *
 * <p>An open hash table with two numbers per place; both are 0 where the place is free. Not thread-safe.
 */
final class TagSet {
    private static final int FIRST_PLACES = 8;
    private static final long FIRST_FACTOR = 0x9E3779B97F4A7C15L;
    private static final long SECOND_FACTOR = 0xD6E8FEB86659FD93L;

    private long[] table = new long[2 * FIRST_PLACES];
    private int size;

    /** Returns true if {@code tag} was added. */
    boolean contains(String tag) {
        long first = first(tag);
        int at = find(table, first, second(tag, first));
        return (table[at] | table[at + 1]) != 0;
    }

    /** Adds {@code tag}, if it is not there. */
    void add(String tag) {
        long first = first(tag);
        long second = second(tag, first);
        int at = find(table, first, second);
        if ((table[at] | table[at + 1]) == 0) {
            table[at] = first;
            table[at + 1] = second;
            if (3 * ++size > table.length) { // two thirds are taken
                grow();
            }
        }
    }

    private void grow() {
        long[] larger = new long[2 * table.length];
        for (int from = 0; from < table.length; from += 2) {
            if ((table[from] | table[from + 1]) != 0) {
                int at = find(larger, table[from], table[from + 1]);
                larger[at] = table[from];
                larger[at + 1] = table[from + 1];
            }
        }
        table = larger;
    }

    /** Returns where the two numbers are, or where there is room for them. */
    private static int find(long[] table, long first, long second) {
        int mask = table.length - 2;
        int at = (int) (first >>> 31) & mask;
        while ((table[at] != first || table[at + 1] != second) && (table[at] | table[at + 1]) != 0) {
            at = at + 2 & mask;
        }
        return at;
    }

    private static long first(String tag) {
        long hash = FIRST_FACTOR ^ tag.length();
        for (int i = 0; i < tag.length(); i++) {
            hash = Long.rotateLeft(hash ^ tag.charAt(i), 27) * FIRST_FACTOR;
        }
        return mixed(hash);
    }

    /** Returns the second number, of which at least one bit is set. */
    private static long second(String tag, long first) {
        long hash = SECOND_FACTOR + tag.hashCode() ^ first >>> 17;
        for (int i = tag.length() - 1; i >= 0; i--) {
            hash = Long.rotateLeft(hash + tag.charAt(i), 23) * SECOND_FACTOR;
        }
        return mixed(hash) | 1;
    }

    private static long mixed(long hash) {
        long mixed = (hash ^ hash >>> 32) * SECOND_FACTOR;
        return mixed ^ mixed >>> 29;
    }
}
