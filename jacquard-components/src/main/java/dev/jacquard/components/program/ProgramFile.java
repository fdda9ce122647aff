package dev.jacquard.components.program;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * A component as a YAML file and the overrides of the command line say it, before the component has looked at it: its
 * name, and texts by dotted key, each with where it stands.
 *
 * @param file the YAML file
 * @param where the place of the component in the file, or the file if that holds one component only
 * @param component the name of the component
 * @param values all other entries, in the file's order, then the overrides
 * @param places of the file's sections and entries, by dotted key
 */
public record ProgramFile(
        Path file, String where, Value component, Map<String, Value> values, Map<String, String> places) {

    public ProgramFile {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        places = Collections.unmodifiableMap(new LinkedHashMap<>(places));
    }

    /**
     * A text of the program.
     *
     * @param text as written, without quotes
     * @param where {@code file:line:column} of the key, or the override
     * @param places where each character of the text stands, by its offset
     */
    public record Value(String text, String where, IntFunction<String> places) {
        static final String OVERRIDE = "--set ";

        /** Returns a text that is not in a file. */
        static Value of(String text, String where) {
            return new Value(text, where, offset -> where + ", column " + (offset + 1) + " of the value");
        }

        /** Returns true if the command line gives it. */
        boolean isOverride() {
            return where.startsWith(OVERRIDE);
        }
    }

    /**
     * Reads a file of one component.
     *
     * @param overrides each {@code key=value}, stronger than the file
     * @throws InputException if the file cannot be read or is no program, or an override has no {@code =}
     */
    public static ProgramFile read(Path file, List<String> overrides) {
        return ProgramText.read(file, overrides).single();
    }
}
