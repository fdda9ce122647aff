package dev.jacquard.tools;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Locale;

/**
 * Shows control characters as {@code \\u001b}, so that text from files and arguments cannot do anything to a terminal.
 * New lines and tabs pass.
 */
final class Printable extends FilterWriter {
    Printable(Writer to) {
        super(to);
    }

    @Override
    public void write(int c) throws IOException {
        if (isHarmless((char) c)) {
            out.write(c);
        } else {
            out.write(String.format(Locale.ROOT, "\\u%04x", c & 0xFFFF));
        }
    }

    @Override
    public void write(char[] from, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            write(from[i]);
        }
    }

    @Override
    public void write(String from, int offset, int length) throws IOException {
        int start = offset;
        int end = offset + length;
        for (int i = offset; i < end; i++) {
            if (!isHarmless(from.charAt(i))) {
                out.write(from, start, i - start);
                write(from.charAt(i));
                start = i + 1;
            }
        }
        out.write(from, start, end - start);
    }

    @Override
    public void flush() throws IOException {
        out.flush();
        if (out instanceof PrintWriter stream && stream.checkError()) {
            throw new IOException("the stream takes no more");
        }
    }

    private static boolean isHarmless(char c) {
        return c == '\n' || c == '\t' || !(Character.isISOControl(c) || isDirection(c));
    }

    /** True for characters that change the direction in which the rest of a line is shown. */
    private static boolean isDirection(char c) {
        return (c >= '\u202a' && c <= '\u202e') || (c >= '\u2066' && c <= '\u2069');
    }
}
