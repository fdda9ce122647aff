package dev.jacquard.flow.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a JSON document: objects become maps, arrays lists, whole numbers of 64 bits {@code Long}, other numbers
 * {@code Double}.
 *
 * <p>Threads: confined.
 */
final class JsonReader {
    private static final int DEEPEST = 64;

    private final String text;
    private int at;

    JsonReader(String text) {
        this.text = text;
    }

    /**
     * Returns the only value of the document.
     *
     * @throws IllegalArgumentException if it is no JSON; says at which line and column
     */
    @Nullable
    Object document() {
        Object value = value(0);
        space();
        if (at < text.length()) {
            throw wrong("the end of the document");
        }
        return value;
    }

    private @Nullable Object value(int depth) {
        space();
        if (depth > DEEPEST) {
            throw wrong("at most " + DEEPEST + " levels of objects and arrays");
        }
        return switch (peek()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> object(int depth) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        at++;
        space();
        if (take('}')) {
            return fields;
        }
        do {
            space();
            if (peek() != '"') {
                throw wrong("the name of a field, in quotes");
            }
            String name = string();
            space();
            require(':');
            fields.put(name, value(depth + 1));
            space();
        } while (take(','));
        require('}');
        return fields;
    }

    private List<@Nullable Object> array(int depth) {
        List<@Nullable Object> elements = new ArrayList<>();
        at++;
        space();
        if (take(']')) {
            return elements;
        }
        do {
            elements.add(value(depth + 1));
            space();
        } while (take(','));
        require(']');
        return elements;
    }

    private String string() {
        StringBuilder word = new StringBuilder();
        at++;
        while (peek() != '"') {
            char c = text.charAt(at++);
            if (c < ' ') {
                at--;
                throw wrong("no control character in a text");
            }
            word.append(c == '\\' ? escaped() : c);
        }
        at++;
        return word.toString();
    }

    private char escaped() {
        char c = peek();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> {
                at--;
                throw wrong("one of \"\\/bfnrtu after a backslash");
            }
        };
    }

    private char unicode() {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(peek(), 16);
            if (digit < 0) {
                throw wrong("four hexadecimal digits after \\u");
            }
            code = 16 * code + digit;
            at++;
        }
        return (char) code;
    }

    private Object number() {
        int from = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String digits = text.substring(from, at);
        try {
            if (digits.matches("-?(0|[1-9][0-9]*)")) {
                return Long.parseLong(digits);
            }
            if (digits.matches("-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?")) {
                return Double.parseDouble(digits);
            }
        } catch (NumberFormatException e) {
            at = from;
            throw wrong("a whole number of 64 bits");
        }
        at = from;
        throw wrong("a value");
    }

    private @Nullable Object word(String word, @Nullable Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong("a value");
        }
        at += word.length();
        return value;
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    /** Returns the next character. */
    private char peek() {
        if (at >= text.length()) {
            throw wrong("more");
        }
        return text.charAt(at);
    }

    private boolean take(char c) {
        boolean there = at < text.length() && text.charAt(at) == c;
        at += there ? 1 : 0;
        return there;
    }

    private void require(char c) {
        if (!take(c)) {
            throw wrong("'" + c + "'");
        }
    }

    private IllegalArgumentException wrong(String expected) {
        int line = 1;
        int column = 1;
        for (int i = 0; i < Math.min(at, text.length()); i++) {
            column = text.charAt(i) == '\n' ? 1 : column + 1;
            line += text.charAt(i) == '\n' ? 1 : 0;
        }
        String actual = at >= text.length() ? "the end" : "'" + text.charAt(at) + "'";
        return new IllegalArgumentException(
                "line " + line + ", column " + column + ": " + actual + ", expected " + expected);
    }
}
