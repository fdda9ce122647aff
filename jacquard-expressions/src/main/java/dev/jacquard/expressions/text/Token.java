package dev.jacquard.expressions.text;

/**
 * A piece of a text.
 *
 * @param kind the kind
 * @param text the characters; of quoted text the ones between the quotes
 * @param line the line in the file where it begins, from 1 on
 * @param column the column there, from 1 on
 * @param number its value, if it is a number
 */
record Token(Kind kind, String text, int line, int column, double number) {
    /** The kinds of tokens. */
    enum Kind {
        NUMBER,
        NAME,
        QUOTED,
        SYMBOL,
        /** After the last one. */
        END
    }

    boolean is(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    /** Returns the error that this token is wrong. */
    ExpressionParser.TextException wrong(String message) {
        return new ExpressionParser.TextException(line, column, message);
    }

    /** Returns the token as messages show it. */
    @Override
    public String toString() {
        return switch (kind) {
            case END -> "the end";
            case QUOTED -> '"' + text + '"';
            default -> "'" + text + "'";
        };
    }
}
