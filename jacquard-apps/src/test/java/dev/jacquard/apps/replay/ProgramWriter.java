package dev.jacquard.apps.replay;

import dev.jacquard.components.program.Report;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes task programs; {@link TaskProgram#parse} reads an equal program back. */
final class ProgramWriter {
    private ProgramWriter() {}

    /** {@code program} as a JSON document. */
    static String write(TaskProgram program) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put(
                "resources",
                program.resources().stream().map(ProgramWriter::values).toList());
        values.put("tasks", program.tasks().stream().map(ProgramWriter::values).toList());
        return Report.json(values);
    }

    private static Map<String, Object> values(ResourceSpec resource) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("name", resource.name());
        putUnlessNull(values, "parent", resource.parent());
        putUnlessNull(values, "dimensions", resource.dimensions());
        if (resource.unordered()) {
            values.put("unordered", true);
        }
        return values;
    }

    private static Map<String, Object> values(TaskSpec task) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("name", task.name());
        values.put("micros", task.micros());
        putUnlessEmpty(
                values,
                "accesses",
                task.accesses().stream()
                        .map(access -> values(access, new LinkedHashMap<>()))
                        .toList());
        putUnlessEmpty(values, "after", task.after());
        putUnlessEmpty(
                values,
                "flags",
                task.flags().stream().sorted().map(TaskFlag::text).toList());
        if (task.priority() != 0) {
            values.put("priority", task.priority());
        }
        if (task.fails()) {
            values.put("fails", true);
        }
        putUnlessEmpty(
                values,
                "refine",
                task.refine().stream().map(ProgramWriter::values).toList());
        putUnlessEmpty(
                values,
                "demote",
                task.demote().stream().map(ProgramWriter::values).toList());
        return values;
    }

    private static Map<String, Object> values(DemoteSpec demotion) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("at", demotion.at());
        return values(demotion.to(), values);
    }

    private static Map<String, Object> values(AccessSpec access, Map<String, Object> values) {
        values.put("resource", access.resource());
        values.put("mode", access.mode().text());
        Box area = access.area();
        if (area != null) {
            values.put(
                    "area",
                    area.intervals().stream()
                            .map(interval -> List.of(interval.low(), interval.high()))
                            .toList());
        }
        return values;
    }

    private static void putUnlessNull(Map<String, Object> values, String key, @Nullable Object value) {
        if (value != null) {
            values.put(key, value);
        }
    }

    private static void putUnlessEmpty(Map<String, Object> values, String key, List<?> list) {
        if (!list.isEmpty()) {
            values.put(key, list);
        }
    }
}
