package dev.jacquard.components.program;

import dev.jacquard.base.text.NearestName;
import dev.jacquard.components.program.ProgramFile.Value;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A program file with the overrides of the command line: texts by dotted key, each with where it stands. It holds one
 * component, under {@code component:}, or several, under {@code components:}. Immutable.
 */
public final class ProgramText {
    /** The names that components and sockets may have, to complete "expected …". */
    public static final String NAMES = "letters a to z, digits, '-' and '_', without blanks and dots";

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_-]*");

    /** Reading takes a time that grows with the square of a line's length. */
    private static final int MOST_BYTES = 1 << 20;

    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final String COMPONENT = "component";
    private static final String COMPONENTS = "components";
    /** Tells a program in braces, of YAML or JSON, from a task program. */
    private static final Pattern OF_COMPONENTS = Pattern.compile("[{,\\s][\"']?components?[\"']?\\s*:");
    /** Sections of a file of several components with keys of the user's. */
    private static final String WIRES = "wires";

    private final Path file;
    private final Map<String, Value> values;
    private final Map<String, String> places;
    /** By the names that the user gives to components. */
    private final Map<String, PartText> parts = new LinkedHashMap<>();

    /** The texts of one component, and their places, by their keys within it. */
    private static final class PartText {
        final String where;
        final Map<String, Value> values = new LinkedHashMap<>();
        final Map<String, String> places = new LinkedHashMap<>();

        PartText(String where) {
            this.where = where;
        }
    }

    private ProgramText(Path file, Map<String, Value> values, Map<String, String> places) {
        this.file = file;
        this.values = values;
        this.places = places;
        places.forEach((key, place) -> {
            String[] words = key.split("\\.", 3);
            if (words.length > 1 && words[0].equals(COMPONENTS)) {
                PartText part = parts.computeIfAbsent(words[1], name -> new PartText(place));
                if (words.length > 2) {
                    part.places.put(words[2], place);
                }
            }
        });
        values.forEach(this::put);
    }

    private void put(String key, Value value) {
        values.put(key, value);
        String[] words = key.split("\\.", 3);
        PartText part = words.length > 2 && words[0].equals(COMPONENTS) ? parts.get(words[1]) : null;
        if (part != null) {
            part.values.put(words[2], value);
        }
    }

    /**
     * Reads {@code file}.
     *
     * @param overrides each {@code key=value}, stronger than the file; {@code factor.precision} is the setting
     *     {@code precision} of the component {@code factor} where there are several
     * @throws InputException if the file cannot be read or is no program, or an override has no {@code =}
     */
    public static ProgramText read(Path file, List<String> overrides) {
        String text = text(file);
        if (text.stripLeading().startsWith("{") && !OF_COMPONENTS.matcher(text).find()) {
            throw new InputException(
                    file + ": it is JSON; expected a program in a YAML file. Task programs in JSON are run by"
                            + " './jacquard replay " + file + "'");
        }
        YamlValues yaml = YamlValues.parse(file.toString(), text);
        Map<String, Value> values = yaml.values();
        Map<String, String> places = new LinkedHashMap<>(yaml.sections());
        values.forEach((key, value) -> places.put(key, value.where()));
        ProgramText program = new ProgramText(file, values, places);
        for (String override : overrides) {
            int equals = override.indexOf('=');
            if (equals < 1) {
                throw new InputException("--set " + override + ": expected key=value");
            }
            String key = override.substring(0, equals).strip();
            int dot = key.indexOf('.');
            boolean ofPart = dot > 0 && program.parts.containsKey(key.substring(0, dot));
            program.put(
                    ofPart ? COMPONENTS + "." + key : key,
                    override(
                            Value.OVERRIDE + override,
                            override.substring(equals + 1).strip()));
        }
        return program;
    }

    /** Returns true if a component or a socket may have that name, since dots, blanks and signs mean other things. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** Returns the file. */
    public Path file() {
        return file;
    }

    /** Returns true if it holds components by names of the user's. */
    public boolean isComposed() {
        return places.containsKey(COMPONENTS);
    }

    /**
     * Returns the one component that it holds.
     *
     * @throws InputException if it holds none
     */
    public ProgramFile single() {
        Map<String, Value> settings = new LinkedHashMap<>(values);
        Value component = settings.remove(COMPONENT);
        if (component == null) {
            throw new InputException(file + ": it names no component; expected a line like 'component: stitching'");
        }
        return new ProgramFile(file, file.toString(), component, settings, without(Set.of(COMPONENT), places));
    }

    private static Map<String, String> without(Set<String> keys, Map<String, String> places) {
        Map<String, String> others = new LinkedHashMap<>(places);
        others.keySet().removeAll(keys);
        return others;
    }

    // ---- several components

    /** Returns the names that the user gives to components, in the file's order. */
    public Set<String> parts() {
        return Collections.unmodifiableSet(parts.keySet());
    }

    /** Returns the place of the section of all components in the file. */
    public String where() {
        return places.getOrDefault(COMPONENTS, file.toString());
    }

    /** Returns the place of a component in the file. */
    public String where(String name) {
        PartText part = parts.get(name);
        return part == null ? file.toString() : part.where;
    }

    /**
     * Returns the component of that name.
     *
     * @param reserved keys that are no settings of the component
     * @throws InputException if the file does not say which component it is, or gives a section for a reserved key
     */
    public ProgramFile part(String name, Set<String> reserved) {
        PartText part = parts.get(name);
        Value component = part == null ? null : part.values.get(COMPONENT);
        if (part == null || component == null) {
            throw new InputException(where(name) + ": '" + name + "' names no component; expected an entry like '"
                    + name + ": {component: sum}'");
        }
        for (String key : reserved) {
            if (part.places.containsKey(key) && !part.values.containsKey(key)) {
                throw new InputException(part.places.get(key) + ": " + aSection(key));
            }
        }
        Map<String, Value> settings = new LinkedHashMap<>(part.values);
        settings.remove(COMPONENT);
        settings.keySet().removeAll(reserved);
        return new ProgramFile(file, part.where, component, settings, without(reserved, part.places));
    }

    /** Returns an entry of a component that is none of its settings; null if it is not there. */
    public @Nullable Value ofPart(String name, String key) {
        PartText part = parts.get(name);
        return part == null ? null : part.values.get(key);
    }

    /** Returns the wires that it gives: sources by sinks, as written. */
    public Map<String, Value> wires() {
        Map<String, Value> wires = new LinkedHashMap<>();
        values.forEach((key, value) -> {
            if (key.startsWith(WIRES + ".")) {
                wires.put(key.substring(WIRES.length() + 1), value);
            }
        });
        return wires;
    }

    /** Returns an entry of the program; null if it is not there. */
    public @Nullable Value entry(String key) {
        return values.get(key);
    }

    /**
     * Returns an error for each entry that no one asks for.
     *
     * @param known the keys that a program of several components may have
     */
    public List<String> unknown(List<String> known) {
        List<String> all = new ArrayList<>(known);
        all.add(COMPONENTS);
        all.add(WIRES);
        List<String> errors = new ArrayList<>();
        values.forEach((key, value) -> {
            boolean inSection = (key.startsWith(COMPONENTS + ".") && key.indexOf('.', COMPONENTS.length() + 1) > 0)
                    || key.startsWith(WIRES + ".");
            boolean empty = value.text().isEmpty() && (key.equals(WIRES) || key.equals(COMPONENTS));
            if (!inSection && !empty && !known.contains(key)) {
                errors.add(value.where() + ": " + unknown(key, all));
            }
        });
        String told = "";
        for (String section : emptySections()) {
            boolean isTold = !told.isEmpty() && section.startsWith(told + ".");
            if (!isTold && !isKnown(section, known)) {
                errors.add(places.get(section) + ": " + unknownSection(section, all));
                told = section;
            }
        }
        return errors;
    }

    /** Returns the sections without a value in them, outer ones first. */
    private List<String> emptySections() {
        Set<String> full = new HashSet<>();
        for (String key : values.keySet()) {
            for (int end = key.length(); end > 0; end = key.lastIndexOf('.', end - 1)) {
                full.add(key.substring(0, end));
            }
        }
        return places.keySet().stream().filter(key -> !full.contains(key)).toList();
    }

    private boolean isKnown(String section, List<String> known) {
        boolean isOfPart = section.startsWith(COMPONENTS + "."); // the component judges its sections
        boolean isOfWires = section.startsWith(WIRES + ".") && parts.containsKey(section.substring(WIRES.length() + 1));
        return section.equals(COMPONENTS)
                || section.equals(WIRES)
                || isOfPart
                || isOfWires
                || known.stream().anyMatch(key -> key.startsWith(section + "."));
    }

    private String unknownSection(String section, List<String> known) {
        if (section.startsWith(WIRES + ".")) {
            String name = section.substring(WIRES.length() + 1);
            return name.contains(".")
                    ? "'" + name + "' is a section; expected a source, as in 'add.in1: one.value'"
                    : "there is no component '" + name + "' in the program" + NearestName.hint(name, parts());
        }
        return known.contains(section) ? aSection(section) : unknown(section, known);
    }

    /** Returns the error that a section is given where a value belongs. */
    static String aSection(String key) {
        return "'" + key + "' is a section; expected a single value";
    }

    private String unknown(String key, List<String> known) {
        if (key.equals(WIRES)) {
            return "'wires' is a text; expected lines like 'add.in1: one.value'";
        }
        return key.startsWith(COMPONENTS)
                ? "'" + key.substring(key.indexOf('.') + 1) + "' is a text; expected a component, like"
                        + " '{component: sum}'"
                : "a program has no '" + key + "'" + nearest(key, known);
    }

    private String nearest(String key, List<String> known) {
        int dot = key.indexOf('.');
        boolean likePart = dot > 0 && known.stream().noneMatch(one -> one.startsWith(key.substring(0, dot + 1)));
        return likePart ? NearestName.hint(key.substring(0, dot), parts()) : NearestName.hint(key, known);
    }

    // ---- reading

    /** Taken as it is: a shell has quoted it once, and a pattern or path may have braces, commas, colons and hashes. */
    private static Value override(String where, String text) {
        boolean quoted = text.startsWith("'") || text.startsWith("\"");
        return quoted ? YamlValues.quoted(where, text) : Value.of(text, where);
    }

    private static String text(Path file) {
        if (Files.isDirectory(file)) {
            throw new InputException(file + ": it is a folder; expected a program in a YAML file");
        }
        try (InputStream from = Files.newInputStream(file)) {
            byte[] bytes = from.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new InputException(file + ": it has more than " + MOST_BYTES
                        + " bytes; expected a program in a YAML file, which is short");
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        } catch (NoSuchFileException e) {
            throw new InputException(file + ": there is no such file; expected a program in a YAML file", e);
        } catch (CharacterCodingException e) {
            throw new InputException(file + ": it is not UTF-8 text; expected a program in a YAML file", e);
        } catch (IOException e) {
            throw new InputException(file + ": it cannot be read: " + e.getMessage(), e);
        }
    }
}
