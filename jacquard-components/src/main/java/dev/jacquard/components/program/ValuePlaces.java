package dev.jacquard.components.program;

import java.util.function.IntFunction;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * Finds the characters of a value in the file where it is written. Quotes, escapes and folded lines are in the file and
 * not in the value, so both are followed side by side: all characters but spaces stand in both, in the same order.
 * Immutable.
 */
final class ValuePlaces implements IntFunction<String> {
    private final String file;
    private final int[] source;
    private final String value;
    private final ScalarStyle style;
    private final int from;
    private final int to;

    private ValuePlaces(String file, int[] source, ScalarNode scalar) {
        this.file = file;
        this.source = source;
        this.value = scalar.getValue();
        this.style = scalar.getScalarStyle();
        this.from = scalar.getStartMark().map(Mark::getIndex).orElse(0);
        this.to =
                Math.min(source.length, scalar.getEndMark().map(Mark::getIndex).orElse(0));
    }

    /**
     * Returns the places in a file.
     *
     * @param source the code points of the file
     */
    static IntFunction<String> of(String file, int[] source, ScalarNode scalar) {
        return new ValuePlaces(file, source, scalar);
    }

    /** Returns {@code file:line:column} of the character with that offset in the value. */
    @Override
    public String apply(int offset) {
        int at = begin();
        int found = at;
        for (int i = 0; i < value.length(); i += Character.charCount(value.codePointAt(i))) {
            int wanted = value.codePointAt(i);
            found = Character.isWhitespace(wanted) ? at : next(wanted, at);
            if (i >= offset) {
                return place(found);
            }
            at = Character.isWhitespace(wanted) ? at : found + 1;
        }
        return place(at); // after the last one
    }

    private int begin() {
        return switch (style) {
            case SINGLE_QUOTED, DOUBLE_QUOTED -> from + 1;
            case LITERAL, FOLDED -> next('\n', from) + 1;
            default -> from;
        };
    }

    /** Returns the place of a character from a place on; that place itself if there is none, as of one in an escape. */
    private int next(int wanted, int at) {
        for (int i = at; i < to; i++) {
            if (source[i] == wanted) {
                return i;
            }
        }
        return at;
    }

    private String place(int index) {
        int line = 1;
        int column = 1;
        for (int i = 0; i < Math.min(index, source.length); i++) {
            boolean ends = source[i] == '\n';
            line += ends ? 1 : 0;
            column = ends ? 1 : column + 1;
        }
        return file + ":" + line + ":" + column;
    }
}
