package dev.jacquard.apps.program;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The findings of a run, for a reader and for a program.
 *
 * @param lines what the command line shows
 * @param values what {@code report.json} holds: texts, numbers, booleans, null, lists and maps of these
 */
public record Report(List<String> lines, Map<String, ?> values) {
    public Report {
        lines = List.copyOf(lines);
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** The values as one JSON document. */
    public String toJson() {
        return Json.write(values);
    }
}
