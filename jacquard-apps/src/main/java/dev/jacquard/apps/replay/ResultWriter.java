package dev.jacquard.apps.replay;

import dev.jacquard.apps.program.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes results; {@link ResultReader} reads an equal one back. */
public final class ResultWriter {
    private ResultWriter() {}

    /** {@code result} as a JSON document. */
    public static String write(ReplayResult result) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("makespan", result.makespan());
        values.put("workers", result.workers());
        values.put("policy", result.policy());
        values.put("tasks", result.tasks().stream().map(ResultWriter::values).toList());
        return Json.write(values);
    }

    private static Map<String, Object> values(TaskResult task) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("name", task.name());
        values.put("state", task.state().text());
        Execution execution = task.execution();
        if (execution != null) {
            values.put("start", execution.start());
            values.put("end", execution.end());
            values.put("worker", execution.worker());
        }
        if (!task.demoted().isEmpty()) {
            values.put(
                    "demoted", task.demoted().stream().map(ResultWriter::values).toList());
        }
        if (!task.tasks().isEmpty()) {
            values.put("tasks", task.tasks().stream().map(ResultWriter::values).toList());
        }
        return values;
    }

    private static Map<String, Object> values(Demoted demoted) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("resource", demoted.resource());
        values.put("mode", demoted.mode().text());
        values.put("time", demoted.time());
        return values;
    }
}
