package dev.jacquard.drawing;

import java.util.Locale;

/** Numbers as people read them. */
public final class Numbers {
    private Numbers() {}

    /** A time in the unit that suits it: "12.3 ms". */
    public static String nanos(long nanos) {
        if (nanos < 1_000) {
            return nanos + " ns";
        }
        if (nanos < 1_000_000) {
            return String.format(Locale.ROOT, "%.1f µs", nanos / 1e3);
        }
        return nanos < 1_000_000_000
                ? String.format(Locale.ROOT, "%.1f ms", nanos / 1e6)
                : String.format(Locale.ROOT, "%.2f s", nanos / 1e9);
    }

    /** A count, with thousands apart: "1 234 567". */
    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count).replace(',', '\u2009');
    }

    /** A count of things: "1 task", "2 000 tasks". */
    public static String count(long count, String thing) {
        return count(count) + " " + thing + (count == 1 ? "" : "s");
    }

    /** A share of 1 in per cent: "42 %". */
    public static String share(double share) {
        return Math.round(share * 100) + " %";
    }
}
