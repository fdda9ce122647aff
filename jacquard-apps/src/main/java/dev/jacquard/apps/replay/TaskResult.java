package dev.jacquard.apps.replay;

import dev.jacquard.apps.replay.ReplayResult.EndState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The result of a task.
 *
 * @param name the task's
 * @param state how it ended
 * @param execution when and where it ran; null when it was cancelled
 * @param demoted its demotions, in order
 * @param tasks its sub-tasks; sub-tasks of a cancelled task are cancelled too
 */
record TaskResult(
        String name, EndState state, @Nullable Execution execution, List<Demoted> demoted, List<TaskResult> tasks) {
    public TaskResult {
        demoted = List.copyOf(demoted);
        tasks = List.copyOf(tasks);
    }

    /** This result and all below it. */
    public Stream<TaskResult> all() {
        return Stream.concat(Stream.of(this), tasks.stream().flatMap(TaskResult::all));
    }

    /** As part of a JSON document. */
    Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("name", name);
        values.put("state", state.text());
        Execution ran = execution;
        if (ran != null) {
            values.put("start", ran.start());
            values.put("end", ran.end());
            values.put("worker", ran.worker());
        }
        if (!demoted.isEmpty()) {
            values.put("demoted", demoted.stream().map(Demoted::values).toList());
        }
        if (!tasks.isEmpty()) {
            values.put("tasks", tasks.stream().map(TaskResult::values).toList());
        }
        return values;
    }
}
