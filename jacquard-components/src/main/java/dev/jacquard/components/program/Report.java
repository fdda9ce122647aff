package dev.jacquard.components.program;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The findings of a run, for a reader and for a program.
 *
 * @param lines the output on the command line
 * @param values the contents of {@code report.json}: texts, numbers, booleans, null, lists and maps of these
 */
public record Report(List<String> lines, Map<String, ?> values) {
    /** Halves of surrogate pairs without the other one, which no file of texts can hold. */
    private static final Pattern HALVES = Pattern.compile("\\p{Cs}");

    public Report {
        lines = List.copyOf(lines);
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /**
     * Requires that a value is a text, number, boolean, null, or a list or map of these, as reports hold them.
     *
     * @throws IllegalArgumentException if it is, or has within it, something else, or itself
     */
    public static void require(@Nullable Object value) {
        Json.require(value, 0);
    }

    /** The values as one JSON document; halves of surrogate pairs are escaped there. */
    public String toJson() {
        return json(values);
    }

    /**
     * Returns {@code value} as an indented JSON document that ends with a new line. Numbers that are not finite become
     * null.
     *
     * @param value a text, number, boolean, null, or a list or map of these
     */
    public static String json(@Nullable Object value) {
        return HALVES.matcher(Json.write(value))
                .replaceAll(half -> String.format(
                        Locale.ROOT, "\\\\u%04x", (int) half.group().charAt(0)));
    }
}
