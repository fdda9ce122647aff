package dev.jacquard.drawing;

import java.util.Locale;

/**
 * Writes an SVG document piece by piece. Coordinates are pixels, from the top left corner.
 *
 * <p>Threads: confined.
 */
public final class SvgWriter {
    private final StringBuilder svg = new StringBuilder();

    /** A white page. */
    public SvgWriter(double width, double height) {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
                        + "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"12\" "
                        + "fill=\"#1f2933\">\n",
                width, height, width, height);
        add("<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n");
    }

    /** The whole document; nothing may be added after it. */
    public String finish() {
        return svg.append("</svg>\n").toString();
    }

    /**
     * Adds markup, in the manner of {@link String#format(Locale, String, Object...)} with a decimal point. Text that
     * comes from outside goes through {@link #escaped} first.
     */
    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
    public SvgWriter add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values));
        return this;
    }

    /** Adds an arrow head that lines refer to as {@code marker-end="url(#id)"}. */
    public SvgWriter arrowHead(String id, int size, String colour) {
        return add(
                "<marker id=\"%s\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"%d\" markerHeight=\"%d\" "
                        + "markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 1L9 5L0 9z\" "
                        + "fill=\"%s\"/></marker>\n",
                id, size, size, colour);
    }

    /** Adds a line of text; {@code anchor} is start, middle or end. */
    public SvgWriter text(double x, double y, String anchor, int size, boolean bold, String text) {
        return add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\"%s>%s</text>\n",
                x, y, anchor, size, bold ? " font-weight=\"bold\"" : "", escaped(text));
    }

    /**
     * Adds a line of text in a room of some width. Text that is too wide for it ends in an ellipsis, and the pointer
     * brings up the whole.
     */
    public SvgWriter text(double x, double y, String anchor, int size, boolean bold, String text, double room) {
        String fitting = TextWidth.shortened(text, room, size, bold);
        if (fitting.equals(text)) {
            return text(x, y, anchor, size, bold, text);
        }
        add("<g>").tooltip(text);
        return text(x, y, anchor, size, bold, fitting).add("</g>");
    }

    /** Returns the width that a line of text takes at most, in pixels. */
    public static double width(String text, int size, boolean bold) {
        return TextWidth.of(text, size, bold);
    }

    /** Adds a line of text in the middle of {@code x} on a white ground, to be read on top of lines. */
    public SvgWriter halo(double x, double y, String text) {
        double width = TextWidth.of(text, 11, false);
        add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"13\" fill=\"#ffffff\" fill-opacity=\"0.85\"/>",
                x - width / 2, y - 10, width);
        return text(x, y, "middle", 11, false, text);
    }

    /** Sets the text that shows when the pointer rests on the element that was just opened. */
    public SvgWriter tooltip(String text) {
        return add("<title>%s</title>", escaped(text));
    }

    /** {@code text} as content or attribute of an element; what XML cannot say becomes a space or a question mark. */
    public static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(c -> {
            switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                case '\n' -> escaped.append('\n');
                default -> escaped.appendCodePoint(c < ' ' ? ' ' : isXml(c) ? c : '?');
            }
        });
        return escaped.toString();
    }

    /**
     * Returns true if a character above the control characters can stand in XML: no half of a surrogate pair, for one.
     */
    static boolean isXml(int c) {
        return c < 0xd800 || (c > 0xdfff && c < 0xfffe) || c > 0xffff;
    }

    /** {@code text} with at most {@code most} characters, the last being an ellipsis where some are left out. */
    public static String shortened(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most - 1) + "…";
    }
}
