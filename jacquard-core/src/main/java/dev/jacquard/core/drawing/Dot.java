package dev.jacquard.core.drawing;

/** Text in Graphviz's language. */
public final class Dot {
    private Dot() {}

    /** {@code text} as a quoted identifier or label; line breaks become breaks of the label. */
    public static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }
}
