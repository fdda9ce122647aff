package dev.jacquard.apps.pde;

import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Settings.Given;
import dev.jacquard.expressions.text.ExpressionParser;
import dev.jacquard.expressions.text.ExpressionParser.Source;
import dev.jacquard.expressions.text.ExpressionParser.TextException;
import java.util.Set;
import java.util.function.Function;

/**
 * An expression of a program, or the part of a value that is one. An error in it is reported with the line and column
 * in the file. Immutable.
 *
 * @param given the value
 * @param from the offset of the expression in the value
 */
record Text(Given<String> given, int from) {
    static Text of(Given<String> given) {
        return new Text(given, 0);
    }

    String text() {
        return given.value().substring(from);
    }

    /** Returns the result of {@code reader} for the text. */
    <T> T read(Function<Source, T> reader) {
        try {
            return reader.apply(new Source(text(), 1, 1));
        } catch (TextException e) {
            String message = String.valueOf(e.getMessage());
            throw given.error(from + offset(e), message.substring(message.indexOf(": ") + 2));
        }
    }

    /** Returns the names in the text. */
    Set<String> names() {
        return read(ExpressionParser::names);
    }

    /** Returns the error that the text as a whole is wrong. */
    InputException error(String message) {
        return given.error(from, message);
    }

    private int offset(TextException e) {
        String text = text();
        int offset = 0;
        for (int line = 1; line < e.line(); line++) {
            offset = text.indexOf('\n', offset) + 1;
        }
        return Math.min(text.length(), offset + e.column() - 1);
    }
}
