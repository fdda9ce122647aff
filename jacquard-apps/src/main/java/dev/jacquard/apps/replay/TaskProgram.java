package dev.jacquard.apps.replay;

import java.util.List;
import java.util.stream.Stream;

/**
 * A described program: its tasks are submitted in order by one thread.
 *
 * @param resources in the file's order
 * @param tasks in the order of their submission
 */
public record TaskProgram(List<ResourceSpec> resources, List<TaskSpec> tasks) {
    public TaskProgram {
        resources = List.copyOf(resources);
        tasks = List.copyOf(tasks);
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
}
