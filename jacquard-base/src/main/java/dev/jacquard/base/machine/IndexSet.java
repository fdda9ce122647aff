package dev.jacquard.base.machine;

import java.util.Arrays;
import java.util.BitSet;
import java.util.OptionalInt;
import java.util.StringJoiner;
import java.util.stream.IntStream;

/**
 * A set of processors or NUMA nodes, by the numbers that the operating system gives them. Immutable; sets with equal
 * members are equal.
 *
 * <pre>{@code
 * IndexSet.ofList("0-3,8").mask();        // "0x0000010f"
 * IndexSet.ofMask("0x1,,0x0").toString(); // "64"
 * }</pre>
 */
public final class IndexSet {
    /** The set without members. */
    public static final IndexSet EMPTY = new IndexSet(new long[0]);
    /** Members are less than this. */
    public static final int MOST = 1 << 16;

    private static final int WORD = 32;
    private static final int DIGITS = 8;

    /** Bits from the lowest on; the last word is not 0. */
    private final long[] words;

    private IndexSet(long[] words) {
        this.words = words;
    }

    private static IndexSet of(BitSet bits) {
        return bits.isEmpty() ? EMPTY : new IndexSet(bits.toLongArray());
    }

    /** Returns the set of some numbers, each from 0 to {@link #MOST} - 1. */
    public static IndexSet of(int... members) {
        BitSet bits = new BitSet();
        for (int member : members) {
            bits.set(checked(member, Integer.toString(member)));
        }
        return of(bits);
    }

    /** Returns the set of the numbers from 0 to {@code end} - 1. */
    public static IndexSet below(int end) {
        BitSet bits = new BitSet();
        bits.set(0, checked(end, Integer.toString(end)));
        return of(bits);
    }

    /**
     * Reads a set as hwloc writes it: words of 32 bits in hexadecimal digits, the highest first, between commas. A word
     * without digits is 0.
     *
     * @throws IllegalArgumentException if {@code text} is something else, or has members from {@link #MOST} on
     */
    public static IndexSet ofMask(String text) {
        int count = 1 + (int) text.chars().filter(c -> c == ',').count();
        if (count > MOST / WORD) {
            throw new IllegalArgumentException(
                    "a mask of " + count + " words of 32 bits; expected at most " + MOST / WORD);
        }
        long[] words = new long[(count + 1) / 2];
        int end = text.length();
        for (int word = 0; word < count; word++) {
            int begin = text.lastIndexOf(',', end - 1) + 1;
            words[word / 2] |= word(text, begin, end) << (word % 2 * WORD);
            end = begin - 1;
        }
        return of(BitSet.valueOf(words));
    }

    private static long word(String mask, int begin, int end) {
        int digits = mask.startsWith("0x", begin) && begin + 2 <= end ? begin + 2 : begin;
        long value = 0;
        for (int i = digits; i < end; i++) {
            int digit = Character.digit(mask.charAt(i), 16);
            if (digit < 0 || i - digits >= DIGITS) {
                throw new IllegalArgumentException("\"" + mask.substring(begin, end)
                        + "\" in a mask; expected up to 8 hexadecimal digits after 0x, or nothing, between commas");
            }
            value = value << 4 | digit;
        }
        return value;
    }

    /**
     * Reads a set as the Linux kernel writes it: numbers and ranges between commas, {@code 0-3,8}.
     *
     * @throws IllegalArgumentException if {@code text} is something else, or has members from {@link #MOST} on
     */
    public static IndexSet ofList(String text) {
        BitSet bits = new BitSet();
        if (text.isBlank()) {
            return EMPTY;
        }
        for (String range : text.strip().split(",", -1)) {
            int dash = range.indexOf('-');
            int first = number(dash < 0 ? range : range.substring(0, dash), text);
            int last = dash < 0 ? first : number(range.substring(dash + 1), text);
            if (last < first) {
                throw new IllegalArgumentException("range " + range + " in \"" + text + "\" ends before it begins");
            }
            bits.set(first, last + 1);
        }
        return of(bits);
    }

    private static int number(String digits, String text) {
        try {
            return checked(Integer.parseInt(digits.strip()), text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "\"" + digits + "\" in \"" + text + "\"; expected numbers and ranges between commas, as 0-3,8", e);
        }
    }

    private static int checked(int member, String text) {
        if (member < 0 || member >= MOST) {
            throw new IllegalArgumentException(member + " in \"" + text + "\"; expected 0 to " + (MOST - 1));
        }
        return member;
    }

    /** Returns true if {@code member} is in the set. */
    public boolean contains(int member) {
        int word = member / Long.SIZE;
        return member >= 0 && word < words.length && (words[word] >>> member % Long.SIZE & 1) != 0;
    }

    /** Returns true if all members of {@code other} are in this set. */
    public boolean containsAll(IndexSet other) {
        for (int i = 0; i < other.words.length; i++) {
            if ((other.words[i] & ~(i < words.length ? words[i] : 0)) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns true if a number is in both sets. */
    public boolean intersects(IndexSet other) {
        for (int i = 0; i < Math.min(words.length, other.words.length); i++) {
            if ((words[i] & other.words[i]) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns the number of members. */
    public int size() {
        return Arrays.stream(words).mapToInt(Long::bitCount).sum();
    }

    /** Returns true if there is no member. */
    public boolean isEmpty() {
        return words.length == 0;
    }

    /** Returns the lowest member; empty if there is none. */
    public OptionalInt first() {
        return stream().findFirst();
    }

    /** Returns the members in ascending order. */
    public IntStream stream() {
        return BitSet.valueOf(words).stream();
    }

    /** Returns the members of either set. */
    public IndexSet or(IndexSet other) {
        BitSet bits = BitSet.valueOf(words);
        bits.or(BitSet.valueOf(other.words));
        return of(bits);
    }

    /** Returns the members of both sets. */
    public IndexSet and(IndexSet other) {
        BitSet bits = BitSet.valueOf(words);
        bits.and(BitSet.valueOf(other.words));
        return of(bits);
    }

    /** Returns the set as hwloc writes it; see {@link #ofMask}. */
    public String mask() {
        StringBuilder mask = new StringBuilder();
        for (int word = 2 * words.length - 1; word >= 0; word--) {
            long value = words[word / 2] >>> (word % 2 * WORD) & 0xffff_ffffL;
            if (value != 0) {
                mask.append(mask.isEmpty() ? "0x" : ",0x");
                mask.append("0".repeat(DIGITS - Long.toHexString(value).length()))
                        .append(Long.toHexString(value));
            } else if (!mask.isEmpty()) {
                mask.append(word == 0 ? ",0x0" : ",");
            }
        }
        return mask.isEmpty() ? "0x0" : mask.toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IndexSet set && Arrays.equals(words, set.words);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(words);
    }

    /** Returns numbers and ranges as {@link #ofList} reads them. */
    @Override
    public String toString() {
        BitSet bits = BitSet.valueOf(words);
        StringJoiner ranges = new StringJoiner(",");
        for (int first = bits.nextSetBit(0); first >= 0; ) {
            int end = bits.nextClearBit(first);
            ranges.add(end == first + 1 ? Integer.toString(first) : first + "-" + (end - 1));
            first = bits.nextSetBit(end);
        }
        return ranges.toString();
    }
}
