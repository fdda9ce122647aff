package dev.jacquard.base.trace;

/** Checks that a text is one JSON value (RFC 8259). */
public final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Throws an AssertionError that says where {@code text} stops being JSON. */
    public static void requireValid(String text) {
        Json json = new Json(text);
        json.value();
        json.blanks();
        json.require(json.at == text.length());
    }

    private void value() {
        blanks();
        switch (next()) {
            case '{' -> members();
            case '[' -> elements();
            case '"' -> string();
            default -> number();
        }
        blanks();
    }

    private void members() {
        expect('{');
        do {
            blanks();
            string();
            blanks();
            expect(':');
            value();
        } while (skip(','));
        expect('}');
    }

    private void elements() {
        expect('[');
        do {
            value();
        } while (skip(','));
        expect(']');
    }

    private void string() {
        expect('"');
        while (next() != '"') {
            require(next() >= 0x20);
            if (skip('\\')) {
                boolean four = next() == 'u';
                require("\"\\/bfnrtu".indexOf(next()) >= 0);
                for (int i = 0; four && i < 4; i++) {
                    at++;
                    require(Character.digit(next(), 16) >= 0);
                }
            }
            at++;
        }
        expect('"');
    }

    private void number() {
        int from = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        require(text.substring(from, at).matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?"));
    }

    private void blanks() {
        while (at < text.length() && " \n\r\t".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char next() {
        require(at < text.length());
        return text.charAt(at);
    }

    private boolean skip(char c) {
        boolean there = next() == c;
        at += there ? 1 : 0;
        return there;
    }

    private void expect(char c) {
        require(skip(c));
    }

    private void require(boolean holds) {
        if (!holds) {
            throw new AssertionError("not JSON from character " + at + " on: " + text.substring(Math.max(0, at - 20)));
        }
    }
}
