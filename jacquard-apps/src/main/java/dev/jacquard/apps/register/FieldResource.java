package dev.jacquard.apps.register;

import dev.jacquard.base.text.NearestName;
import dev.jacquard.components.program.InputException;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessTable;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.access.AreaAccess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An access to a box of a field, under a name.
 *
 * <p>Source: the resource-register document, section 7.2.
 */
record FieldResource(String name, AreaAccess access) {
    private static final Pattern INTERVAL = Pattern.compile("\\[([^\\[\\],]+),([^\\[\\],]+)\\]\\s*");

    /**
     * Reads a line like {@code fieldB: [0, 2] [1, 2] [0, 2] read}.
     *
     * @throws InputException if it is not like that, or {@code table} has no such kind
     */
    static FieldResource parse(TextLine line, AccessTable table) {
        List<Double> bounds = new ArrayList<>();
        Matcher interval = INTERVAL.matcher(line.rest());
        int end = 0;
        while (interval.region(end, line.rest().length()).lookingAt()) {
            bounds.add(number(line, interval.group(1)));
            bounds.add(number(line, interval.group(2)));
            end = interval.end();
        }
        Access kind = kind(line, line.rest().substring(end), table);
        try {
            double[] box = bounds.stream().mapToDouble(Double::doubleValue).toArray();
            return new FieldResource(line.name(), new AreaAccess(kind, Area.ofReals(box)));
        } catch (IllegalArgumentException e) {
            throw line.error(e);
        }
    }

    private static double number(TextLine line, String text) {
        double number;
        try {
            number = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw line.error("'" + text.strip() + "' is no number; expected intervals like [0, 0.9]");
        }
        if (Double.isInfinite(number)) {
            throw line.error("'" + text.strip() + "' is " + number + "; expected intervals like [0, 0.9]");
        }
        return number;
    }

    private static Access kind(TextLine line, String word, AccessTable table) {
        List<String> known = table.entries().stream().map(Access::toString).toList();
        if (!known.contains(word)) {
            throw line.error("'" + word + "' is no access of the matrix; expected intervals, then an access"
                    + NearestName.hint(word, known));
        }
        return table.entry(word);
    }

    int dimensions() {
        return access.area().dimensions();
    }

    /** As the document prints it. */
    String line() {
        StringJoiner text = new StringJoiner(" ");
        text.add(name + ":");
        for (int dimension = 0; dimension < dimensions(); dimension++) {
            text.add(String.format(
                    Locale.ROOT,
                    "[%.6f, %.6f]",
                    access.area().realLow(dimension),
                    access.area().realHigh(dimension)));
        }
        return text.add(access.kind().toString()).toString();
    }

    /** For {@code report.json}. */
    Map<String, Object> values() {
        List<List<Double>> intervals = new ArrayList<>();
        for (int dimension = 0; dimension < dimensions(); dimension++) {
            intervals.add(
                    List.of(access.area().realLow(dimension), access.area().realHigh(dimension)));
        }
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("name", name);
        values.put("area", intervals);
        values.put("access", access.kind().toString());
        return values;
    }
}
