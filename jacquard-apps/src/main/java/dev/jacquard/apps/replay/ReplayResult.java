package dev.jacquard.apps.replay;

import java.util.List;
import java.util.stream.Stream;

/**
 * The result of a run of a program.
 *
 * @param makespan from the start of the run until all was over, nanoseconds
 * @param workers how many threads ran tasks, the main thread included
 * @param policy which schedule
 * @param tasks in the program's order
 */
public record ReplayResult(long makespan, int workers, String policy, List<TaskResult> tasks) {
    public ReplayResult {
        tasks = List.copyOf(tasks);
    }

    /** The results of all tasks, each before its sub-tasks'. */
    Stream<TaskResult> allTasks() {
        return tasks.stream().flatMap(TaskResult::all);
    }

    /** Returns true if every task is done, sub-tasks included. */
    public boolean isDone() {
        return allTasks().allMatch(task -> task.state() == EndState.DONE);
    }

    /** Returns the number of tasks that ended like this, sub-tasks included. */
    public long count(EndState state) {
        return allTasks().filter(task -> task.state() == state).count();
    }
}
