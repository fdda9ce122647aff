package dev.jacquard.core.graph;

/**
 * A set of tags without a bound, which keeps a hash code of 127 bits of each: a loop may make a tag per step, and a
 * scope must know all tags that it has had. Two of a billion tags share a hash code with a probability of 1e-20.
 *
 * <p>An open hash table with two numbers per place. The second is odd, and 0 where the place is free. Not thread-safe.
 */
final class TagSet {
    private static final int FIRST_PLACES = 8;
    private static final long FIRST_FACTOR = 0x9E3779B97F4A7C15L;
    private static final long SECOND_FACTOR = 0xD6E8FEB86659FD93L;

    private long[] table = new long[2 * FIRST_PLACES];
    private int size;

    /** Returns true if {@code tag} was added. */
    boolean contains(String tag) {
        return table[find(table, first(tag), second(tag)) + 1] != 0;
    }

    /** Adds {@code tag}, if it is not there. */
    void add(String tag) {
        long first = first(tag);
        long second = second(tag);
        int at = find(table, first, second);
        if (table[at + 1] == 0) {
            table[at] = first;
            table[at + 1] = second;
            if (3 * ++size > table.length) { // two thirds of the places are taken
                grow();
            }
        }
    }

    private void grow() {
        long[] larger = new long[2 * table.length];
        for (int from = 0; from < table.length; from += 2) {
            if (table[from + 1] != 0) {
                int at = find(larger, table[from], table[from + 1]);
                larger[at] = table[from];
                larger[at + 1] = table[from + 1];
            }
        }
        table = larger;
    }

    /** Returns the place of the two numbers, or the free one where they belong. */
    private static int find(long[] table, long first, long second) {
        int mask = table.length - 2;
        int at = (int) (first >>> 32) & mask;
        while (table[at + 1] != 0 && (table[at] != first || table[at + 1] != second)) {
            at = at + 2 & mask;
        }
        return at;
    }

    private static long first(String tag) {
        long hash = tag.length();
        for (int i = 0; i < tag.length(); i++) {
            hash = Long.rotateLeft((hash ^ tag.charAt(i)) * FIRST_FACTOR, 27);
        }
        return mixed(hash * FIRST_FACTOR);
    }

    private static long second(String tag) {
        long hash = SECOND_FACTOR;
        for (int i = tag.length() - 1; i >= 0; i--) {
            hash = Long.rotateLeft((hash + tag.charAt(i)) * SECOND_FACTOR, 31);
        }
        return mixed(hash * SECOND_FACTOR) | 1;
    }

    private static long mixed(long hash) {
        long mixed = (hash ^ hash >>> 32) * SECOND_FACTOR;
        return mixed ^ mixed >>> 29;
    }
}
