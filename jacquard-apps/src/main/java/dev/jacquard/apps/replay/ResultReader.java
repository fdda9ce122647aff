package dev.jacquard.apps.replay;

import dev.jacquard.apps.replay.ReplayResult.EndState;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the results that {@code replay --json} prints. */
final class ResultReader {
    private ResultReader() {}

    /**
     * The result that is {@code json}; {@code file} is for messages.
     *
     * @throws dev.jacquard.components.program.InputException when it is no result
     */
    static ReplayResult parse(String file, String json) {
        Element root = Element.of(JsonSource.parse(file, json), "the result")
                .allow(List.of("makespan", "workers", "policy", "tasks", "why"));
        return new ReplayResult(time(root, "makespan"), (int) time(root, "workers"), root.text("policy"), tasks(root));
    }

    private static List<TaskResult> tasks(Element parent) {
        return parent.list("tasks").stream()
                .map(value -> task(Element.of(value, "a task")))
                .toList();
    }

    private static TaskResult task(Element unnamed) {
        String name = unnamed.text("name");
        Element task = unnamed.named("task \"" + name + '"')
                .allow(List.of("name", "state", "start", "end", "worker", "demoted", "tasks"));
        EndState state = spelt(task, "state", EndState.values(), EndState::text);
        return new TaskResult(name, state, execution(task), demoted(task), tasks(task));
    }

    private static @Nullable Execution execution(Element task) {
        if (!task.has("start") && !task.has("end") && !task.has("worker")) {
            return null;
        }
        return new Execution(time(task, "start"), time(task, "end"), task.text("worker"));
    }

    private static List<Demoted> demoted(Element task) {
        return task.list("demoted").stream()
                .map(value -> {
                    Element demoted = Element.of(value, task.subject()).allow(List.of("resource", "mode", "time"));
                    AccessMode mode = spelt(demoted, "mode", AccessMode.values(), AccessMode::text);
                    return new Demoted(demoted.text("resource"), mode, time(demoted, "time"));
                })
                .toList();
    }

    private static <E> E spelt(Element element, String key, E[] values, Function<E, String> spelling) {
        String text = element.text(key);
        return element.spelt(element.where(key), text, "\"" + key + "\" is \"" + text + '"', values, spelling);
    }

    private static long time(Element element, String key) {
        return element.integer(key, 0, Long.MAX_VALUE)
                .orElseThrow(() -> element.wrong(element.where(), "\"" + key + "\" is missing"));
    }
}
