package dev.jacquard.libraries.hwloc;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The bytes of an XML file, checked before the parser has them: their number, their encoding, and that no entity is
 * referred to but the five of XML.
 *
 * <p>The JDK's parser, without support of DTDs, replaces an undeclared entity in an attribute by nothing where the file
 * has a DOCTYPE with an external part, which every file of hwloc has. Here it is an error.
 *
 * <p>Threads: confined.
 */
final class GuardedInput extends FilterInputStream {
    /** No file is longer. */
    static final int MOST_BYTES = 16 << 20;

    private static final int MOST_NAME = 10;
    private static final String[] BRACKETS = {"<!--", "-->", "<![CDATA[", "]]>", "<?", "?>"};

    private final StringBuilder last = new StringBuilder();
    private final StringBuilder entity = new StringBuilder();
    private boolean inEntity;
    /** The end of the comment, section or instruction that the bytes are in; empty outside of these. */
    private String closing = "";

    private long bytes;
    private int line = 1;

    GuardedInput(InputStream in) {
        super(in);
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
        int b = in.read();
        if (b >= 0) {
            check(b);
        }
        return b;
    }

    @Override
    public int read(byte[] into, int from, int count) throws IOException {
        int read = in.read(into, from, count);
        for (int i = 0; i < read; i++) {
            check(into[from + i] & 0xff);
        }
        return read;
    }

    private void check(int b) throws RefusedException {
        if (++bytes > MOST_BYTES) {
            throw new RefusedException(line, "the file has more than " + MOST_BYTES + " bytes");
        }
        if (b == 0 || (bytes == 1 && b != '<' && b != 0xef && !Character.isWhitespace(b))) {
            throw new RefusedException(
                    line,
                    "the file is not encoded in UTF-8 or another extension of ASCII; expected XML that begins with <");
        }
        if (b == '\n') {
            line++;
        }
        if (inEntity) {
            inEntity = continues((char) b);
        } else if (b == '&' && closing.isEmpty()) {
            inEntity = true;
            entity.setLength(0);
        } else {
            bracket((char) b);
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
                                    + "; expected &lt; &gt; &amp; &quot; &apos; or the number of a character");
                }
            }
        }
        return false;
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
        for (int i = 0; i < BRACKETS.length; i += 2) {
            if (end.endsWith(BRACKETS[i])) {
                closing = BRACKETS[i + 1];
                last.setLength(0);
            }
        }
    }

    /** No byte is skipped unread. */
    @Override
    public long skip(long count) {
        return 0;
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
