package dev.jacquard.expressions.text;

import dev.jacquard.base.text.DecimalText;
import dev.jacquard.expressions.text.ExpressionParser.Source;
import dev.jacquard.expressions.text.ExpressionParser.TextException;
import dev.jacquard.expressions.text.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes a text apart. Confined to one thread. */
final class Lexer {
    private static final Pattern NUMBER = Pattern.compile("(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?");
    private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{Nd}_]*");
    private static final Pattern SYMBOL = Pattern.compile("<=|>=|==|!=|[-+*/^(),<>]");

    /** Signs of other languages, with their replacements here. */
    private static final Map<String, String> MEANT = Map.of(
            "**", "powers are written ^",
            "=", "equality is written ==",
            "&", "conditions are joined by where(a, where(b, yes, no), no)",
            "|", "conditions are joined by where(a, yes, where(b, yes, no))",
            "[", "brackets are ( and )",
            "{", "brackets are ( and )",
            "\u2212", "minus is written -",
            "\u00b7", "products are written *",
            "\u00d7", "products are written *",
            "\u2207", "derivatives are written grad(c), div(f), laplacian(c), dx(c)");

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;
    private int line;
    private int column;

    private Lexer(Source source) {
        text = source.text();
        line = source.line();
        column = source.column();
    }

    static List<Token> tokens(Source source) {
        return new Lexer(source).all();
    }

    /** Returns true if a text is a name, as fields and parameters need one. */
    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    private List<Token> all() {
        while (true) {
            skipSpace();
            if (at == text.length()) {
                tokens.add(new Token(Kind.END, "", line, column, 0));
                return tokens;
            }
            char next = text.charAt(at);
            if (text.startsWith("**", at)) {
                throw unknown("**");
            } else if (next == '"' || next == '\'') {
                quoted(next);
            } else if (!take(Kind.NUMBER, NUMBER) && !take(Kind.NAME, NAME) && !take(Kind.SYMBOL, SYMBOL)) {
                throw unknown(Character.toString(text.codePointAt(at)));
            }
        }
    }

    private void skipSpace() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            pass(1);
        }
    }

    /** Passes characters, and counts lines and columns. */
    private void pass(int count) {
        for (int end = at + count; at < end; at++) {
            if (text.charAt(at) == '\n') {
                line++;
                column = 1;
            } else {
                column++;
            }
        }
    }

    private boolean take(Kind kind, Pattern pattern) {
        Matcher matcher = pattern.matcher(text).region(at, text.length());
        if (!matcher.lookingAt()) {
            return false;
        }
        String its = matcher.group();
        double number = kind == Kind.NUMBER ? Double.parseDouble(its) : 0;
        if (Double.isInfinite(number)) {
            throw new TextException(line, column, its + " is larger than the largest number, 1.8e308");
        }
        if (kind == Kind.NUMBER && DecimalText.vanishes(its, number)) {
            throw new TextException(line, column, its + " is smaller than the smallest number above 0, 4.9e-324");
        }
        tokens.add(new Token(kind, its, line, column, number));
        pass(its.length());
        return true;
    }

    private void quoted(char quote) {
        int end = text.indexOf(quote, at + 1);
        if (end < 0) {
            throw new TextException(line, column, "this " + quote + " has no other one that ends the quoted text");
        }
        tokens.add(new Token(Kind.QUOTED, text.substring(at + 1, end), line, column, 0));
        pass(end + 1 - at);
    }

    private TextException unknown(String sign) {
        String meant = MEANT.get(sign);
        return new TextException(
                line, column, "'" + sign + "' has no meaning in an expression" + (meant == null ? "" : "; " + meant));
    }
}
