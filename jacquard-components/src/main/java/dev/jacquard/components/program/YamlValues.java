package dev.jacquard.components.program;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** Flattens YAML sections into dotted keys, keeping the place of every value for messages. */
final class YamlValues {
    /** References to sections, as {@code *name}: a section that many components share has one for each. */
    private static final int MOST_ALIASES = 10_000;

    /** References to sections of references multiply: a file of a few lines may stand for more than fits in memory. */
    private static final int MOST_VALUES = 1 << 17;

    /** The parser's advice for tabs, which it gives for any character. */
    private static final Pattern NO_INDENTATION = Pattern.compile("\\. \\(Do not use \\S for indentation\\)");

    /** The tags of plain values, and the tags that a parser gives to values without a tag. */
    private static final Set<Tag> TAGS =
            Set.of(Tag.STR, Tag.INT, Tag.FLOAT, Tag.BOOL, Tag.NULL, Tag.MAP, Tag.SEQ, Tag.MERGE);

    private static final int BYTE_ORDER_MARK = 0xFEFF;

    private final String file;
    /** The code points of the file. */
    private final int[] source;

    private final Map<String, ProgramFile.Value> values = new LinkedHashMap<>();
    /** The place of each section. */
    private final Map<String, String> sections = new LinkedHashMap<>();

    private YamlValues(String file, String yaml) {
        this.file = file;
        this.source = yaml.codePoints().toArray();
    }

    /** Returns the values of {@code yaml}. */
    static YamlValues parse(String file, String yaml) {
        YamlValues values = new YamlValues(file, yaml);
        values.requirePrintable();
        switch (compose(file, yaml).orElse(null)) {
            case null -> throw new InputException(file + ": it is empty; expected 'key: value' lines");
            case MappingNode sections -> values.add("", sections);
            case Node other ->
                throw new InputException(place(file, other.getStartMark()) + ": expected 'key: value' lines");
        }
        return values;
    }

    /** Returns all scalars by dotted key, in order. */
    Map<String, ProgramFile.Value> values() {
        return values;
    }

    /** Returns the places of all sections by dotted key, in order. */
    Map<String, String> sections() {
        return sections;
    }

    /** The text between quotes. */
    static ProgramFile.Value quoted(String where, String yaml) {
        if (compose(where, yaml).orElse(null) instanceof ScalarNode scalar) {
            return ProgramFile.Value.of(scalar.getValue(), where);
        }
        throw new InputException(where + ": expected a single text between the quotes");
    }

    /** Refuses characters that the parser refuses without their line, and characters that are invisible in a name. */
    private void requirePrintable() {
        int line = 1;
        int column = 1;
        for (int point : source) {
            if (point == BYTE_ORDER_MARK) {
                throw new InputException(file + ":" + line + ":" + column + ": not YAML: there is a byte order mark"
                        + " (U+FEFF), which is invisible; expected one at the beginning of the file alone");
            }
            if (!StreamReader.isPrintable(point)) {
                throw new InputException(String.format(
                        Locale.ROOT,
                        "%s:%d:%d: not YAML: there is the control character U+%04X; expected printable text",
                        file,
                        line,
                        column,
                        point));
            }
            line += point == '\n' ? 1 : 0;
            column = point == '\n' ? 1 : column + 1;
        }
    }

    private static Optional<Node> compose(String file, String yaml) {
        LoadSettings settings = LoadSettings.builder()
                .setLabel(file)
                .setMaxAliasesForCollections(MOST_ALIASES)
                .setAllowNonScalarKeys(true) // refused here, with their places
                .build();
        StreamReader reader = new StreamReader(settings, yaml);
        try {
            return new Composer(settings, new ParserImpl(settings, reader)).getSingleNode();
        } catch (MarkedYamlEngineException e) {
            String context = e.getContext() == null ? "" : " " + e.getContext();
            if (context.contains("single document")) {
                throw new InputException(
                        place(file, e.getProblemMark()) + ": a second document begins here; expected one program", e);
            }
            String problem = NO_INDENTATION.matcher(e.getProblem()).replaceFirst(" but in quotes");
            throw new InputException(place(file, e.getProblemMark()) + ": not YAML: " + problem + context, e);
        } catch (YamlEngineException e) { // without a place
            throw new InputException(place(file, reader) + ": not YAML: " + problem(String.valueOf(e.getMessage())), e);
        } catch (StackOverflowError e) {
            // The parser calls itself for each level, without its own limit.
            throw new InputException(place(file, reader) + ": its sections are nested too deeply to be read", e);
        }
    }

    /** Returns a message without the parser's settings. */
    private static String problem(String message) {
        return message.contains("aliases")
                ? "more than " + MOST_ALIASES + " references to sections; expected a program, which is short"
                : message;
    }

    private static String place(String file, StreamReader reader) {
        return file + ":" + (reader.getLine() + 1) + ":" + (reader.getColumn() + 1);
    }

    private void add(String prefix, MappingNode section) {
        for (NodeTuple entry : section.getValue()) {
            if (!(entry.getKeyNode() instanceof ScalarNode keyNode)) {
                throw new InputException(place(file, entry.getKeyNode().getStartMark())
                        + ": a key is a list or a section; expected a name");
            }
            requirePlain(keyNode);
            requirePlain(entry.getValueNode());
            String key = prefix + keyNode.getValue();
            String where = place(file, keyNode.getStartMark());
            if (keyNode.getValue().equals("<<")) {
                throw new InputException(where + ": '<<' merges no sections here; expected the entries themselves, or a"
                        + " reference to a whole section, like 'second: *first'");
            }
            if (values.size() + sections.size() == MOST_VALUES) {
                throw new InputException(where + ": with what its references stand for, the file has more than "
                        + MOST_VALUES + " values; expected a program, which is short");
            }
            switch (entry.getValueNode()) {
                case MappingNode inner -> addSection(key, where, inner);
                case ScalarNode scalar ->
                    put(key, new ProgramFile.Value(scalar.getValue(), where, ValuePlaces.of(file, source, scalar)));
                case Node other ->
                    throw new InputException(where + ": '" + key + "' is a list; expected " + instead(key));
            }
        }
    }

    /** Refuses a tag that asks for more than a value, such as {@code !include}: its value would be taken as text. */
    private void requirePlain(Node node) {
        Tag tag = node.getTag();
        // a parser gives this one to ${...}, which is a text here
        boolean isText = tag.equals(Tag.ENV_TAG)
                && node instanceof ScalarNode text
                && text.getValue().startsWith("${");
        if (!TAGS.contains(tag) && !isText) {
            String name = tag.getValue().startsWith(Tag.PREFIX)
                    ? "!!" + tag.getValue().substring(Tag.PREFIX.length())
                    : tag.getValue();
            throw new InputException(place(file, node.getStartMark()) + ": the tag '" + name
                    + "' has no meaning in a program; expected the value itself");
        }
    }

    /** Returns the form expected instead of a list. */
    private static String instead(String key) {
        return switch (key) {
            case "components" -> "entries like 'one: {component: number, value: 3}'";
            case "wires" -> "entries like 'add.in1: one.value'";
            case String other when other.matches("components\\.[^.]+") -> "a component, like '{component: sum}'";
            default -> "a single value";
        };
    }

    private void addSection(String key, String where, MappingNode section) {
        if (section.isRecursive()) {
            throw new InputException(where + ": section '" + key + "' contains itself");
        }
        String earlier = sections.put(key, where);
        if (earlier != null) {
            throw twice(key, where, earlier);
        }
        add(key + ".", section);
    }

    private void put(String key, ProgramFile.Value value) {
        ProgramFile.Value earlier = values.put(key, value);
        if (earlier != null) {
            throw twice(key, value.where(), earlier.where());
        }
    }

    private static InputException twice(String key, String where, String earlier) {
        return new InputException(where + ": '" + key + "' is given a second time, after " + earlier);
    }

    private static String place(String file, Optional<Mark> mark) {
        return mark.map(at -> file + ":" + (at.getLine() + 1) + ":" + (at.getColumn() + 1))
                .orElse(file);
    }
}
