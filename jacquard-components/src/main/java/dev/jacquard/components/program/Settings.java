package dev.jacquard.components.program;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The values of one component's settings, all known and of the right type; where folders are looked for. Immutable. */
public final class Settings {
    private final Map<String, Given<?>> values;
    private final NamedSections sections;
    private final SearchPath searchPath;

    private Settings(Map<String, Given<?>> values, NamedSections sections, SearchPath searchPath) {
        this.values = values;
        this.sections = sections;
        this.searchPath = searchPath;
    }

    /**
     * A value, with the place where the program gives it. Immutable.
     *
     * @param <T> the type of the value
     */
    public static final class Given<T> {
        private final String key;
        private final T value;
        private final ProgramFile.Value text;

        private Given(String key, T value, ProgramFile.Value text) {
            this.key = key;
            this.value = value;
            this.text = text;
        }

        /** Returns the dotted name, with the user's names: {@code unknowns.c.rate}. */
        public String key() {
            return key;
        }

        /** Returns the value. */
        public T value() {
            return value;
        }

        /** Returns the text that it was read from. */
        public String text() {
            return text.text();
        }

        /** Returns the place, as messages name it: {@code file:line:column} of the key, or the override. */
        public String where() {
            return text.where();
        }

        /** Returns the error that something is wrong with it; {@code message} follows the place. */
        public InputException error(String message) {
            return new InputException(where() + ": " + message);
        }

        /**
         * Returns the error that something within the text is wrong; the message begins with its line and column.
         *
         * @param offset of the character in the text
         */
        public InputException error(int offset, String message) {
            return new InputException(text.places().apply(offset) + ": '" + key + "': " + message);
        }
    }

    /**
     * Reads the settings of {@code program}.
     *
     * @param schema the settings that the component knows
     * @throws InputException for an unknown key, a missing one or a wrong value
     */
    public static Settings of(ProgramFile program, List<Setting<?>> schema, SearchPath searchPath) {
        NamedSections sections = NamedSections.of(program, schema);
        Map<String, Given<?>> values = new LinkedHashMap<>();
        for (Setting<?> setting : schema) {
            for (String key : sections.keys(setting)) {
                Given<?> given = parse(setting, key, program, sections);
                if (given != null) {
                    values.put(key, given);
                }
            }
        }
        return new Settings(values, sections, searchPath);
    }

    /** Returns the settings of a program that gives none: settings without a default are missing. */
    public static Settings ofDefaults(List<Setting<?>> schema) {
        List<Setting<?>> optional =
                schema.stream().filter(setting -> setting.byDefault() != null).toList();
        ProgramFile.Value none = ProgramFile.Value.of("", "");
        return of(new ProgramFile(Path.of(""), "", none, Map.of(), Map.of()), optional, new SearchPath(List.of()));
    }

    private static <T> @Nullable Given<T> parse(
            Setting<T> setting, String key, ProgramFile program, NamedSections sections) {
        ProgramFile.Value given = program.values().get(key);
        String text = given == null ? setting.byDefault() : given.text();
        if (text == null) {
            throw new InputException(sections.where(key) + ": '" + key + "' is missing; expected "
                    + setting.type().expected() + " (" + setting.meaning() + ")");
        }
        if (given == null && setting.mayBeAbsent()) {
            return null;
        }
        String where = given == null ? program.where() : given.where();
        if (!new String(text.getBytes(UTF_8), UTF_8).equals(text)) { // no file, and no checkpoint, could hold it
            throw new InputException(
                    where + ": '" + key + "' has one half of a surrogate pair, like \\ud800, without the other");
        }
        @Nullable T value;
        try {
            value = setting.type().parser().apply(text);
        } catch (InputException e) {
            throw e;
        } catch (RuntimeException e) { // a type of the user's
            throw new InputException(
                    where + ": '" + key + "' is '" + text + "', which cannot be read: " + e + "; expected "
                            + setting.type().expected(),
                    e);
        }
        if (value == null) {
            throw new InputException(where + ": '" + key + "' is '" + text + "'; expected "
                    + setting.type().expected(text));
        }
        return new Given<>(key, value, given == null ? ProgramFile.Value.of(text, program.where()) : given);
    }

    /** The value of {@code setting}, which must be one of the component's. */
    public <T> T get(Setting<T> setting) {
        return given(setting).value();
    }

    /** Returns the value of {@code setting}, with its place; that of the file if the program does not give it. */
    public <T> Given<T> given(Setting<T> setting) {
        Given<T> given = find(setting.key());
        if (given == null) {
            throw new IllegalArgumentException("'" + setting.key() + "' is not among the component's settings");
        }
        return given;
    }

    @SuppressWarnings("unchecked") // the key was parsed by its own type
    private <T> @Nullable Given<T> find(String key) {
        return (Given<T>) values.get(key);
    }

    /**
     * Returns the names that the program gives in a section: {@code c} and {@code d} of {@code unknowns.c.rate} and
     * {@code unknowns.d.rate}, in the file's order.
     */
    public Set<String> names(String section) {
        return sections.names(section);
    }

    /** Returns the values of a setting of named sections, by their names, where the program gives one. */
    public <T> Map<String, Given<T>> named(Setting<T> setting) {
        Map<String, Given<T>> all = new LinkedHashMap<>();
        for (String name : names(setting.section())) {
            Given<T> given = find(setting.key(name));
            if (given != null) {
                all.put(name, given);
            }
        }
        return all;
    }

    /**
     * Returns the error that something is wrong with a named section; {@code message} follows its place.
     *
     * @param key the section, such as {@code unknowns.c}
     */
    public InputException error(String key, String message) {
        return new InputException(sections.where(key) + ": " + message);
    }

    /** Returns the texts of all values, by their keys: the program's texts, and the defaults. */
    public Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        values.forEach((key, given) -> texts.put(key, given.text()));
        return texts;
    }

    /** The existing folder that {@code setting} names. */
    public Path folder(Setting<String> setting) {
        return searchPath.find(setting.key(), get(setting), "folder", Files::isDirectory);
    }

    /** The existing file that {@code setting} names. */
    public Path file(Setting<String> setting) {
        return searchPath.find(setting.key(), get(setting), "file", Files::isRegularFile);
    }
}
