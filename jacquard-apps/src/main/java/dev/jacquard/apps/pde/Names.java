package dev.jacquard.apps.pde;

import dev.jacquard.apps.pde.Keys.Centre;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Settings;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.text.ExpressionParser;
import dev.jacquard.expressions.text.ExpressionParser.PointFunction;
import dev.jacquard.expressions.text.ExpressionParser.Source;
import dev.jacquard.expressions.text.ExpressionParser.TextException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The names of a program: parameters with their numbers, given fields and unknowns. Immutable.
 *
 * @param parser knows all of them
 */
record Names(ExpressionParser parser, Map<String, Double> parameters, Map<String, Tag<?>> fields) {
    /** The bytes of the longest name of an unknown: its files are called by it. */
    private static final int LONGEST = 200;

    /** The names that the method in time gives to parameters. */
    private static final String STEP = "dt";

    /**
     * Reads the names.
     *
     * @throws InputException if one has two meanings, or is none
     */
    static Names read(Settings settings, int dimensions) {
        Reading reading = new Reading(settings, dimensions);
        Map<String, Double> parameters = new LinkedHashMap<>();
        settings.named(Keys.PARAMETER).forEach((name, given) -> {
            if (name.equals(STEP)) {
                throw given.error("the name '" + name + "' is that of the step; give the parameter another one");
            }
            reading.add(Keys.PARAMETERS, name, "a parameter", parser -> parser.parameter(name, given.value()));
            parameters.put(name, given.value());
        });
        Map<String, Tag<?>> fields = new LinkedHashMap<>();
        settings.named(Keys.AT).forEach((name, at) -> {
            Tag<?> tag = at.value() == Centre.CELL ? Tag.cell(name) : Tag.faces(name);
            reading.add(Keys.FIELDS, name, "a given field", parser -> parser.field(tag));
            fields.put(name, tag);
        });
        for (String name : settings.names(Keys.UNKNOWNS)) {
            int bytes = name.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > LONGEST) {
                throw settings.error(
                        Keys.UNKNOWNS + "." + name,
                        "the name of an unknown has " + bytes + " bytes, and its files are called by it; expected "
                                + LONGEST + " at most");
            }
            reading.add(Keys.UNKNOWNS, name, "an unknown", parser -> parser.field(Tag.cell(name)));
        }
        return new Names(reading.parser, parameters, fields);
    }

    /** Returns a text as a function of the coordinates and the time alone, if it is one. */
    Optional<PointFunction> function(Text text) {
        try {
            return Optional.of(parser.function(new Source(text.text(), 1, 1), parameters));
        } catch (TextException e) {
            return Optional.empty(); // it has fields or operators
        }
    }

    /** The names that were read so far. */
    private static final class Reading {
        private final Settings settings;
        private final Map<String, String> meanings = new LinkedHashMap<>();
        private ExpressionParser parser;

        Reading(Settings settings, int dimensions) {
            this.settings = settings;
            this.parser = ExpressionParser.of(dimensions);
        }

        void add(String section, String name, String meaning, UnaryOperator<ExpressionParser> with) {
            String earlier = meanings.put(name, meaning);
            if (earlier != null) {
                throw settings.error(
                        section + "." + name,
                        "the name '" + name + "' of " + meaning + " is that of " + earlier + ", too; expected another");
            }
            try {
                parser = with.apply(parser);
            } catch (IllegalArgumentException e) {
                throw settings.error(section + "." + name, String.valueOf(e.getMessage()));
            }
        }
    }
}
