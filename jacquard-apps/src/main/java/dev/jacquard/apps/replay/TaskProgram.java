package dev.jacquard.apps.replay;

import dev.jacquard.components.program.InputException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A described program: its tasks are submitted in order by one thread.
 *
 * @param resources in the file's order
 * @param tasks in the order of their submission
 */
public record TaskProgram(List<ResourceSpec> resources, List<TaskSpec> tasks) {
    private static final List<String> KEYS = List.of("resources", "tasks");

    public TaskProgram {
        resources = List.copyOf(resources);
        tasks = List.copyOf(tasks);
    }

    /**
     * The program in {@code file}, whichever format it has.
     *
     * @throws InputException for a file that cannot be used
     */
    public static TaskProgram read(Path file) {
        return of(JsonSource.read(file));
    }

    /** The program that is {@code json}; {@code file} is for messages. */
    static TaskProgram parse(String file, String json) {
        return of(JsonSource.parse(file, json));
    }

    static TaskProgram of(JsonValue document) {
        Element root = Element.of(document, "the program");
        if (WorkflowReader.isWorkflow(root)) {
            return WorkflowReader.read(root);
        }
        root.allow(KEYS);
        root.require("tasks", "a list of tasks");
        List<ResourceSpec> resources = ResourceReader.read(root.list("resources"));
        return new TaskProgram(resources, TaskReader.read(root.list("tasks"), resources));
    }

    /** The same program with {@code factor} times its times. */
    public TaskProgram scaled(double factor) {
        return new TaskProgram(
                resources, tasks.stream().map(task -> task.scaled(factor)).toList());
    }

    /** All tasks, each before its sub-tasks. */
    public Stream<TaskSpec> allTasks() {
        return tasks.stream().flatMap(TaskSpec::all);
    }

    /** Returns the names of all tasks, each before those of its sub-tasks. */
    public List<String> names() {
        return allTasks().map(TaskSpec::name).toList();
    }
}
