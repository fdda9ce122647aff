package dev.jacquard.apps.replay;

import dev.jacquard.components.program.Report;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

    /**
     * The result that is {@code json}; {@code file} is for messages.
     *
     * @throws dev.jacquard.components.program.InputException when it is no result
     */
    public static ReplayResult parse(String file, String json) {
        return ResultReader.parse(file, json);
    }

    /** This result as a JSON document; {@link #parse} reads an equal one back. */
    public String toJson() {
        return toJson(List.of());
    }

    /** This result as a JSON document with the sentences of {@link Replay.Run#why}; without these if there are none. */
    public String toJson(List<String> why) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("makespan", makespan);
        values.put("workers", workers);
        values.put("policy", policy);
        values.put("tasks", tasks.stream().map(TaskResult::values).toList());
        if (!why.isEmpty()) {
            values.put("why", why);
        }
        return Report.json(values);
    }

    /** One line per task, the first of them, and a summary; times in microseconds. */
    public List<String> lines() {
        return ReplayReport.lines(this);
    }

    /** Every violation of {@code program}, with the times that its bodies had to spin, as sentences. */
    public List<String> violations(TaskProgram program) {
        return OrderOracle.check(program, this);
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

    /** The outcome of a task. */
    public enum EndState {
        /** Its body returned, and all its sub-tasks are done. */
        DONE,
        /** Its body threw, or a sub-task failed. */
        FAILED,
        /** It did not run, since a task that it needed failed. */
        CANCELLED;

        /** As results write it: {@code "done"}. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
