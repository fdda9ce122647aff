package dev.jacquard.drawing;

/**
 * The room that a line of text takes in a picture, whichever of the named fonts a viewer has: the widths are those of
 * the widest, DejaVu Sans, rounded up.
 *
 * <p>Threads: immutable.
 */
final class TextWidth {
    /** Characters by their width in hundredths of the font's size; others are 65, or 100 beyond U+2E80. */
    private static final String[] GROUPS = {"ijlI.,:;'!|/\\ ·", "frt()[]-\"`’\u2009", "scJzLvxy?°", "%mwMWGOQ@…→←∞×"};

    private static final double[] WIDTHS = {0.36, 0.47, 0.6, 1.0};
    private static final double USUAL = 0.65;
    private static final double CAPITAL = 0.78;
    private static final double BOLD = 1.13;

    private TextWidth() {}

    /** Returns the width of a line of text in pixels. */
    static double of(String text, int size, boolean isBold) {
        double width = 0;
        for (int character : text.codePoints().toArray()) {
            width += of(character);
        }
        return width * size * (isBold ? BOLD : 1);
    }

    private static double of(int character) {
        for (int group = 0; group < GROUPS.length; group++) {
            if (GROUPS[group].indexOf(character) >= 0) {
                return WIDTHS[group];
            }
        }
        return character >= 0x2E80 || (character >= '+' && character <= '>' && !Character.isDigit(character))
                ? 1
                : Character.isUpperCase(character) ? CAPITAL : USUAL;
    }

    /** Returns the text, or as many of its first characters as fit into a width, and an ellipsis. */
    static String shortened(String text, double width, int size, boolean isBold) {
        if (of(text, size, isBold) <= width) {
            return text;
        }
        int end = text.length();
        while (end > 0 && of(text.substring(0, end) + "…", size, isBold) > width) {
            end = text.offsetByCodePoints(end, -1);
        }
        return text.substring(0, end).stripTrailing() + "…";
    }
}
