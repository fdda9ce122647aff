package dev.jacquard.components.run;

import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.ProgramFile.Value;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The weights of components and wires as an earlier run has measured them, in its {@code report.json}.
 *
 * @param seconds of each component, by its name
 * @param bytes of the values of each source, by its name
 */
record MeasuredWeights(Map<String, Double> seconds, Map<String, Long> bytes) {
    static final MeasuredWeights NONE = new MeasuredWeights(Map.of(), Map.of());

    private static final JsonFactory FACTORY = new JsonFactory();
    /** A component that took no time weighs as much as a millionth of a second. */
    private static final double LEAST = 1e-6;

    /**
     * Returns the weights of the report that an entry of a program names.
     *
     * @param given null for none
     * @param errors gets an error if it cannot be used
     */
    static MeasuredWeights of(@Nullable Value given, List<String> errors) {
        if (given == null) {
            return NONE;
        }
        try {
            return read(Path.of(given.text()));
        } catch (InvalidPathException | InputException e) {
            errors.add(given.where() + ": 'weights' is '" + given.text() + "': " + e.getMessage()
                    + "; expected the report.json of an earlier run of this program");
            return NONE;
        }
    }

    /**
     * Reads a report.
     *
     * @throws InputException if the file cannot be read, or is no report of components
     */
    static MeasuredWeights read(Path report) {
        Map<String, Double> seconds = new HashMap<>();
        Map<String, Long> bytes = new HashMap<>();
        try (InputStream in = Files.newInputStream(report);
                JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), in)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new InputException("it is no JSON object");
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String key = parser.currentName();
                JsonToken value = parser.nextToken();
                if (value == JsonToken.START_ARRAY && key.equals("components")) {
                    readEach(parser, "name", "seconds", (name, its) -> seconds.put(name, Math.max(LEAST, its)));
                } else if (value == JsonToken.START_ARRAY && key.equals("wires")) {
                    readEach(parser, "source", "bytes", (name, its) -> bytes.put(name, its.longValue()));
                } else {
                    parser.skipChildren();
                }
            }
        } catch (IOException | JacksonException e) {
            throw new InputException("it cannot be read: " + e.getMessage(), e);
        }
        if (seconds.isEmpty()) {
            throw new InputException("it has no times of components");
        }
        return new MeasuredWeights(seconds, bytes);
    }

    /** Reads the objects of an array: a name and a number of each, where it has them. */
    private static void readEach(JsonParser parser, String name, String number, BiConsumer<String, Double> each) {
        while (parser.nextToken() == JsonToken.START_OBJECT) {
            @Nullable String its = null;
            @Nullable Double found = null;
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String key = parser.currentName();
                JsonToken value = parser.nextToken();
                if (key.equals(name) && value == JsonToken.VALUE_STRING) {
                    its = parser.getString();
                } else if (key.equals(number) && value != null && value.isNumeric()) {
                    found = parser.getDoubleValue();
                } else {
                    parser.skipChildren();
                }
            }
            if (its != null && found != null) {
                each.accept(its, found);
            }
        }
    }
}
