package dev.jacquard.engine.model;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The text of a {@link TimeFile}: lines in UTF-8 with fields between tabs.
 *
 * <pre>
 *  jacquard-times  VERSION  WRITES                     how often the file was written
 *  name  NAME  USED                                    the value of WRITES when the name was last used
 *  time  TARGET  CLASS  BYTES  COUNT  MEAN  DEVIATION  of the name above; in nanoseconds
 *  end  LINES                                          the number of lines between the first and this one
 * </pre>
 *
 * <p>In names and targets a backslash stands before a backslash, and before t, n and r for tabs and ends of lines.
 */
final class TimeText {
    private static final String MAGIC = "jacquard-times";
    private static final int VERSION = 1;
    /** The most names that are kept, and the most lines: the names used last. */
    static final int MOST_NAMES = 2_000;

    private static final int MOST_LINES = 20_000;
    /** The most signs of a name or a target that is kept. */
    private static final int LONGEST_NAME = 200;

    /** The order of entries in lists. */
    private static final Comparator<TimeFile.Entry> ORDER = Comparator.comparing(TimeFile.Entry::name)
            .thenComparing(TimeFile.Entry::target)
            .thenComparing(TimeFile.Entry::sizeClass);

    private TimeText() {}

    /** The file is no file of learned times, or a part of one. */
    static final class DamagedException extends IOException {
        private static final long serialVersionUID = 1;

        DamagedException(String message) {
            super(message);
        }
    }

    /**
     * The content of a file.
     *
     * @param writes how often it was written
     * @param used the value of {@code writes} when a name was last used, by name
     * @param entries the times
     */
    record Content(long writes, Map<String, Long> used, Map<TimeFile.Key, TimeFile.Entry> entries) {
        static final Content EMPTY = new Content(0, Map.of(), Map.of());

        /** Returns the content after one more write, within the bounds: the names used last. */
        Content next(Map<TimeFile.Key, TimeFile.Entry> changed, Set<String> nowUsed) {
            long write = writes + 1;
            Map<String, List<TimeFile.Entry>> byName = new HashMap<>();
            changed.values()
                    .forEach(entry -> byName.computeIfAbsent(entry.name(), any -> new ArrayList<>())
                            .add(entry));
            Map<String, Long> uses = new HashMap<>();
            byName.keySet()
                    .forEach(name -> uses.put(name, nowUsed.contains(name) ? write : used.getOrDefault(name, 0L)));
            List<String> newest = new ArrayList<>(byName.keySet());
            newest.sort(Comparator.comparing((String name) -> -uses.getOrDefault(name, 0L))
                    .thenComparing(Comparator.naturalOrder()));
            Map<TimeFile.Key, TimeFile.Entry> kept = new HashMap<>();
            int names = 0;
            for (String name : newest) {
                List<TimeFile.Entry> its = byName.getOrDefault(name, List.of());
                if (names == MOST_NAMES || names + 1 + kept.size() + its.size() > MOST_LINES) {
                    break;
                }
                if (name.length() <= LONGEST_NAME) {
                    names++;
                    its.stream()
                            .filter(entry -> entry.target().length() <= LONGEST_NAME)
                            .forEach(entry -> kept.put(entry.key(), entry));
                }
            }
            return new Content(write, uses, kept);
        }
    }

    static List<TimeFile.Entry> sorted(Collection<TimeFile.Entry> entries) {
        return entries.stream().sorted(ORDER).toList();
    }

    // ---- out

    static String print(Content content) {
        StringBuilder text = new StringBuilder(MAGIC)
                .append('\t')
                .append(VERSION)
                .append('\t')
                .append(content.writes)
                .append('\n');
        int lines = 0;
        String name = null;
        for (TimeFile.Entry entry : sorted(content.entries.values())) {
            if (!entry.name().equals(name)) {
                name = entry.name();
                line(text, "name", escaped(name), content.used.getOrDefault(name, 0L));
                lines++;
            }
            line(
                    text,
                    "time",
                    escaped(entry.target()),
                    entry.sizeClass(),
                    entry.bytes(),
                    entry.count(),
                    entry.meanNanos(),
                    entry.deviationNanos());
            lines++;
        }
        line(text, "end", lines);
        return text.toString();
    }

    private static void line(StringBuilder text, Object... fields) {
        for (int i = 0; i < fields.length; i++) {
            text.append(i == 0 ? "" : "\t").append(fields[i]);
        }
        text.append('\n');
    }

    private static String escaped(String name) {
        return name.replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
    }

    // ---- in

    static Content parse(byte[] bytes, Path path) throws IOException {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new DamagedException(path + " is no text in UTF-8, so no file of learned times: remove it");
        }
        return new Parser(path, text.split("\n", -1)).content();
    }

    /** One pass over the lines. Confined to it. */
    private static final class Parser {
        private static final String REMEDY = "; remove the file, or let the next session replace it";

        private final Path path;
        private final String[] lines;
        private final Map<String, Long> used = new HashMap<>();
        private final Map<TimeFile.Key, TimeFile.Entry> entries = new HashMap<>();
        /** The index of the present line, and its fields. */
        private int at;

        private String[] fields = {};

        Parser(Path path, String[] lines) {
            this.path = path;
            this.lines = lines;
        }

        Content content() throws IOException {
            long writes = head();
            requireEnd();
            String name = null;
            for (at = 1; at < lines.length; at++) {
                fields = lines[at].split("\t", -1);
                switch (fields[0]) {
                    case "name" -> {
                        requireFields(3);
                        name = unescaped(fields[1]);
                        if (used.put(name, whole(2, 0, Long.MAX_VALUE)) != null) {
                            throw damaged("name \"" + name + "\" comes a second time");
                        }
                    }
                    case "time" -> {
                        if (name == null) {
                            throw damaged("a time without a name before it");
                        }
                        add(time(name));
                    }
                    case "end" -> {
                        end();
                        return new Content(writes, used, entries);
                    }
                    default -> throw damaged("expected name, time or end, not \"" + shortened(fields[0]) + '"');
                }
            }
            throw damaged("expected \"end\" before");
        }

        /** The last line is the whole end. */
        private void requireEnd() throws IOException {
            if (lines.length < 3
                    || !lines[lines.length - 1].isEmpty()
                    || !lines[lines.length - 2].startsWith("end\t")) {
                throw new DamagedException(path + " is cut off: it has " + lines.length
                        + " lines, and the last one does not say \"end\"" + REMEDY);
            }
        }

        private long head() throws IOException {
            fields = lines[0].split("\t", -1);
            if (!fields[0].equals(MAGIC)) {
                throw damaged("expected \"" + MAGIC + "\", not \"" + shortened(fields[0]) + '"');
            }
            if (fields.length > 1 && !fields[1].equals(Integer.toString(VERSION))) {
                throw new IOException(
                        path + " has version " + shortened(fields[1]) + " of learned times, and this one is " + VERSION
                                + ": name another file by -Djacquard.times=FILE, or remove it");
            }
            requireFields(3);
            return whole(2, 0, Long.MAX_VALUE);
        }

        private void end() throws IOException {
            requireFields(2);
            if (whole(1, 0, Integer.MAX_VALUE) != at - 1) {
                throw damaged("the file has " + (at - 1) + " lines before, not " + fields[1]);
            }
            if (at + 2 < lines.length) {
                throw damaged("expected the end of the file after this line");
            }
        }

        private TimeFile.Entry time(String name) throws IOException {
            requireFields(7);
            return new TimeFile.Entry(
                    name,
                    unescaped(fields[1]),
                    (int) whole(2, 0, Long.SIZE),
                    number(3, 0x1p64),
                    whole(4, 1, TimeFile.MOST_RUNS),
                    number(5, TimeModel.LONGEST),
                    number(6, TimeModel.LONGEST));
        }

        private void add(TimeFile.Entry entry) throws IOException {
            if (entries.put(entry.key(), entry) != null) {
                throw damaged(
                        "the time of class " + entry.sizeClass() + " on " + entry.target() + " comes a second time");
            }
        }

        private void requireFields(int count) throws IOException {
            if (fields.length != count) {
                throw damaged("expected " + count + " fields between tabs, not " + fields.length);
            }
        }

        private long whole(int field, long least, long most) throws IOException {
            try {
                long value = Long.parseLong(fields[field]);
                if (value >= least && value <= most) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // The same message as for one out of range.
            }
            throw damaged("field " + (field + 1) + " is \"" + shortened(fields[field])
                    + "\"; expected a whole number from " + least + " to " + most);
        }

        private double number(int field, double most) throws IOException {
            try {
                double value = Double.parseDouble(fields[field]);
                if (value >= 0 && value <= most) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // The same message as for one out of range.
            }
            throw damaged("field " + (field + 1) + " is \"" + shortened(fields[field])
                    + "\"; expected a number from 0 to " + most);
        }

        private String unescaped(String field) throws IOException {
            if (field.indexOf('\\') < 0) {
                return field;
            }
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < field.length(); i++) {
                char sign = field.charAt(i);
                if (sign == '\\') {
                    i++;
                    int which = i < field.length() ? "\\tnr".indexOf(field.charAt(i)) : -1;
                    if (which < 0) {
                        throw damaged("\\ is followed by none of \\, t, n, r in \"" + shortened(field) + '"');
                    }
                    sign = "\\\t\n\r".charAt(which);
                }
                text.append(sign);
            }
            return text.toString();
        }

        private DamagedException damaged(String what) {
            return new DamagedException(path + ", line " + (at + 1) + ": " + what + REMEDY);
        }

        private static String shortened(String text) {
            return text.length() <= 40 ? text : text.substring(0, 40) + "…";
        }
    }
}
