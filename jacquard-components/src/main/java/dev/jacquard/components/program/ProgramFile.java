package dev.jacquard.components.program;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * A program as its YAML file and the overrides of the command line say it, before any component has looked at it: which
 * component runs, and texts by dotted key, each with where it stands.
 *
 * @param file the YAML file
 * @param component the name of the component
 * @param values all other entries, in the file's order, then the overrides
 * @param places of the file's sections and entries, by dotted key
 */
public record ProgramFile(Path file, Value component, Map<String, Value> values, Map<String, String> places) {
    private static final String COMPONENT = "component";
    /** Reading takes a time that grows with the square of a line's length. */
    private static final int MOST_BYTES = 1 << 20;

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
        private static final String OVERRIDE = "--set ";

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
     * Reads {@code file}.
     *
     * @param overrides each {@code key=value}, stronger than the file
     * @throws InputException if the file cannot be read or is no program, or an override has no {@code =}
     */
    public static ProgramFile read(Path file, List<String> overrides) {
        String text = text(file);
        if (text.stripLeading().startsWith("{")) {
            throw new InputException(
                    file + ": it is JSON; expected a program in a YAML file. Task programs in JSON are run by"
                            + " './jacquard replay " + file + "'");
        }
        YamlValues yaml = YamlValues.parse(file.toString(), text);
        Map<String, Value> values = yaml.values();
        Map<String, String> places = new LinkedHashMap<>(yaml.sections());
        values.forEach((key, value) -> places.put(key, value.where()));
        for (String override : overrides) {
            int equals = override.indexOf('=');
            if (equals < 1) {
                throw new InputException("--set " + override + ": expected key=value");
            }
            String key = override.substring(0, equals).strip();
            values.put(
                    key,
                    override(
                            Value.OVERRIDE + override,
                            override.substring(equals + 1).strip()));
        }
        Value component = values.remove(COMPONENT);
        if (component == null) {
            throw new InputException(file + ": it names no component; expected a line like 'component: stitching'");
        }
        return new ProgramFile(file, component, values, places);
    }

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
            ByteBuffer text = ByteBuffer.wrap(bytes);
            return StandardCharsets.UTF_8.newDecoder().decode(text).toString();
        } catch (NoSuchFileException e) {
            throw new InputException(file + ": there is no such file; expected a program in a YAML file", e);
        } catch (CharacterCodingException e) {
            throw new InputException(file + ": it is not UTF-8 text; expected a program in a YAML file", e);
        } catch (IOException e) {
            throw new InputException(file + ": it cannot be read: " + e.getMessage(), e);
        }
    }
}
