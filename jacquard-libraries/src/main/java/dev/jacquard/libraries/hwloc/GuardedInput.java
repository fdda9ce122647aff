package dev.jacquard.libraries.hwloc;

import java.io.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * The characters of an XML file in UTF-8, checked before the parser has them: their number, their encoding, that the
 * DOCTYPE declares nothing, and that no entity is referred to but the five of XML.
 *
 * <p>The JDK's parser, without support of DTDs, replaces an undeclared entity in an attribute by nothing where the file
 * has a DOCTYPE with an external part, which every file of hwloc has. Here it is an error.
 *
 * <p>Threads: confined.
 */
final class GuardedInput extends FilterReader {
    /** No file is longer. */
    static final int MOST_CHARACTERS = 16 << 20;

    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private static final int MOST_NAME = 10;
    private static final String[] BRACKETS = {"<!--", "-->", "<![CDATA[", "]]>", "<?", "?>"};

    private final StringBuilder last = new StringBuilder();
    private final StringBuilder entity = new StringBuilder();
    private boolean inEntity;
    /** The end of the comment, section or instruction that the characters are in; empty outside of these. */
    private String closing = "";

    private boolean inDoctype;
    /** The quote that opened the text within the DOCTYPE that the characters are in; 0 outside of texts. */
    private char quote;

    private long count;
    private int line = 1;

    /** Reads from a stream, which stays open. */
    GuardedInput(InputStream in) {
        super(new InputStreamReader(
                in,
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT)));
    }

    /** A file that is refused before it is parsed. */
    static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;

        final int line;

        RefusedException(int line, String what) {
            super(what);
            this.line = line;
        }
    }

    @Override
    public int read() throws IOException {
        char[] one = new char[1];
        int read;
        do {
            read = read(one, 0, 1);
        } while (read == 0);
        return read < 0 ? -1 : one[0];
    }

    @Override
    public int read(char[] into, int from, int room) throws IOException {
        int read = in.read(into, from, room);
        int start = from;
        if (count == 0 && read > 0 && into[from] == BYTE_ORDER_MARK) {
            into[from] = ' '; // editors on Windows put it there
            start++;
        }
        for (int i = start; i < from + read; i++) {
            check(into[i]);
        }
        return read;
    }

    private void check(char c) throws RefusedException {
        if (++count > MOST_CHARACTERS) {
            throw new RefusedException(line, "the file has more than " + MOST_CHARACTERS + " characters");
        }
        if (c == '\n') {
            line++;
        }
        if (inDoctype) {
            inDoctype = continuesDoctype(c);
        } else if (inEntity) {
            inEntity = continues(c);
        } else if (c == '&' && closing.isEmpty()) {
            inEntity = true;
            entity.setLength(0);
        } else {
            bracket(c);
        }
    }

    private boolean continues(char c) throws RefusedException {
        if (c != ';') {
            entity.append(c);
            if (entity.length() <= MOST_NAME) {
                return true;
            }
        }
        switch (entity.toString()) {
            case "lt", "gt", "amp", "quot", "apos" -> {}
            default -> {
                if (c != ';' || entity.isEmpty() || entity.charAt(0) != '#') {
                    throw new RefusedException(
                            line,
                            "the entity &" + printable(entity)
                                    + "; is not declared; expected &lt; &gt; &amp; &quot; &apos; or the number of a character");
                }
            }
        }
        return false;
    }

    private boolean continuesDoctype(char c) throws RefusedException {
        if (quote != 0) {
            quote = c == quote ? 0 : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '[') {
            throw new RefusedException(
                    line, "the DOCTYPE has declarations; expected one that names a file, as hwloc2.dtd");
        }
        return c != '>' || quote != 0;
    }

    private static String printable(CharSequence text) {
        return text.toString().replaceAll("[^ -~]", "?");
    }

    /** Follows the brackets within which an ampersand is a character as any other. */
    private void bracket(char c) {
        last.append(c);
        if (last.length() > BRACKETS[2].length()) {
            last.deleteCharAt(0);
        }
        String end = last.toString();
        if (!closing.isEmpty()) {
            closing = end.endsWith(closing) ? "" : closing;
            return;
        }
        inDoctype = end.endsWith("<!DOCTYPE");
        for (int i = 0; i < BRACKETS.length; i += 2) {
            if (end.endsWith(BRACKETS[i])) {
                closing = BRACKETS[i + 1];
                last.setLength(0);
            }
        }
    }

    /** No character is skipped unread. */
    @Override
    public long skip(long characters) {
        return 0;
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
