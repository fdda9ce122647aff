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
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** The weights of components as an earlier run has measured them: the seconds of each in its {@code report.json}. */
final class MeasuredWeights {
    private static final JsonFactory FACTORY = new JsonFactory();
    /** A component that took no time weighs as much as a millionth of a second. */
    private static final double LEAST = 1e-6;

    private MeasuredWeights() {}

    /**
     * Returns the seconds of each component, by name, as an entry of a program names their report.
     *
     * @param given null for none
     * @param errors gets an error if it cannot be used
     */
    static Map<String, Double> of(@Nullable Value given, List<String> errors) {
        if (given == null) {
            return Map.of();
        }
        try {
            return read(Path.of(given.text()));
        } catch (InvalidPathException | InputException e) {
            errors.add(given.where() + ": 'weights' is '" + given.text() + "': " + e.getMessage()
                    + "; expected the report.json of an earlier run of this program");
            return Map.of();
        }
    }

    /**
     * Returns the seconds of each component, by name.
     *
     * @throws InputException if the file cannot be read, or is no report of components
     */
    static Map<String, Double> read(Path report) {
        Map<String, Double> weights = new HashMap<>();
        try (InputStream in = Files.newInputStream(report);
                JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), in)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new InputException("it is no JSON object");
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean isComponents = parser.currentName().equals("components");
                JsonToken value = parser.nextToken();
                if (isComponents && value == JsonToken.START_ARRAY) {
                    readComponents(parser, weights);
                } else {
                    parser.skipChildren();
                }
            }
        } catch (IOException | JacksonException e) {
            throw new InputException("it cannot be read: " + e.getMessage(), e);
        }
        if (weights.isEmpty()) {
            throw new InputException("it has no times of components");
        }
        return weights;
    }

    private static void readComponents(JsonParser parser, Map<String, Double> weights) {
        while (parser.nextToken() == JsonToken.START_OBJECT) {
            @Nullable String name = null;
            @Nullable Double seconds = null;
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String key = parser.currentName();
                JsonToken value = parser.nextToken();
                if (key.equals("name") && value == JsonToken.VALUE_STRING) {
                    name = parser.getString();
                } else if (key.equals("seconds") && value != null && value.isNumeric()) {
                    seconds = parser.getDoubleValue();
                } else {
                    parser.skipChildren();
                }
            }
            if (name != null && seconds != null) {
                weights.put(name, Math.max(LEAST, seconds));
            }
        }
    }
}
