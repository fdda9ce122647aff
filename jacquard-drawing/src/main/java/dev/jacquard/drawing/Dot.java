package dev.jacquard.drawing;

/** Text in Graphviz's language. */
public final class Dot {
    private Dot() {}

    /**
     * {@code text} as a quoted identifier or label; line breaks become breaks of the label, what cannot be said "?".
     */
    public static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        text.codePoints().forEach(c -> {
            switch (c) {
                case '\\' -> quoted.append("\\\\");
                case '"' -> quoted.append("\\\"");
                case '\n' -> quoted.append("\\n");
                default -> quoted.appendCodePoint(c < ' ' ? ' ' : SvgWriter.isXml(c) ? c : '?');
            }
        });
        return quoted.append('"').toString();
    }
}
