package dev.jacquard.apps.replay;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the results that {@code replay --json} prints. */
final class ResultReader {
    private ResultReader() {}

    /**
     * The result that is {@code json}; {@code file} is for messages.
     *
     * @throws dev.jacquard.apps.program.InputException when it is no result
     */
    static ReplayResult parse(String file, String json) {
        Element root = Element.of(JsonSource.parse(file, json), "the result")
                .allow(List.of("makespan", "workers", "policy", "tasks"));
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
        String state = oneOf(task, "state", EndState.texts());
        return new TaskResult(
                name, EndState.valueOf(state.toUpperCase(Locale.ROOT)), execution(task), demoted(task), tasks(task));
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
                    String mode = oneOf(demoted, "mode", AccessMode.texts());
                    return new Demoted(
                            demoted.text("resource"),
                            Objects.requireNonNull(AccessMode.of(mode)),
                            time(demoted, "time"));
                })
                .toList();
    }

    private static String oneOf(Element element, String key, List<String> known) {
        String text = element.text(key);
        if (!known.contains(text)) {
            throw element.wrong(element.where(key), "\"" + key + "\" is \"" + text + '"' + Element.hint(text, known));
        }
        return text;
    }

    private static long time(Element element, String key) {
        return element.integer(key, 0, Long.MAX_VALUE)
                .orElseThrow(() -> element.wrong(element.where(), "\"" + key + "\" is missing"));
    }
}
