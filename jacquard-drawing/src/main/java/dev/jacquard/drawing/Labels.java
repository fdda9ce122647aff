package dev.jacquard.drawing;

import java.util.Locale;

/** Labels as people read them, and text as Graphviz reads it. */
public final class Labels {
    private Labels() {}

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

    /**
     * {@code text} as a quoted identifier or label; line breaks become breaks of the label, characters that are not
     * allowed become "?". Graphviz replaces the entities of HTML in labels, so that an ampersand is written as one.
     */
    public static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        text.codePoints().forEach(c -> {
            switch (c) {
                case '\\' -> quoted.append("\\\\");
                case '"' -> quoted.append("\\\"");
                case '&' -> quoted.append("&amp;");
                case '\n' -> quoted.append("\\n");
                default -> quoted.appendCodePoint(c < ' ' ? ' ' : SvgWriter.isXml(c) ? c : '?');
            }
        });
        return quoted.append('"').toString();
    }
}
