package dev.jacquard.flow.report;

import dev.jacquard.core.execution.FailureLog.Ends;
import java.util.List;

/**
 * The ends of all items of a run: executed, failed, cancelled or dropped. While the run is at work, and for good where
 * the engine has ended before, items that wait or are at work are in no count.
 *
 * @param graph the graph's name
 * @param outcome how it ended, or that it has not
 * @param sent items that came in from outside
 * @param delivered items that went out: the iterator of the run has handed them out
 * @param undelivered items that reached the output, and that the iterator has not handed out
 * @param tasks counts per task
 * @param outstanding names of the buffers that are lent at this moment; once the run is closed, these were never
 *     released
 */
public record FlowReport(
        String graph,
        Outcome outcome,
        long sent,
        long delivered,
        long undelivered,
        List<TaskCount> tasks,
        List<String> outstanding) {
    /** How a run stands. */
    public enum Outcome {
        /** At work. */
        RUNNING,
        /** Every item was worked on. */
        DONE,
        /** A body, rule or allocator threw. */
        FAILED,
        /** The run was cancelled, or closed early. */
        CANCELLED
    }

    /**
     * The items of one task.
     *
     * @param task its name
     * @param executed items that its body returned from
     * @param failed items that its body threw at: 0 or 1 per copy
     * @param cancelled items that reached it and were not started, or that gave up when the run stopped
     * @param dropped items that failed and were handed to the task's error handler
     */
    public record TaskCount(String task, long executed, long failed, long cancelled, long dropped) {}

    /** Items of all tasks that were cancelled. */
    public long cancelled() {
        return tasks.stream().mapToLong(TaskCount::cancelled).sum();
    }

    /** Items of all tasks that failed and were dropped. */
    public long dropped() {
        return tasks.stream().mapToLong(TaskCount::dropped).sum();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("flow \"" + graph + "\" " + outcome + ": " + sent + " items sent, "
                + delivered + " delivered, " + undelivered + " not fetched");
        for (TaskCount task : tasks) {
            text.append("\n  ").append(task.task()).append(": ");
            text.append(new Ends(task.executed(), task.failed(), task.cancelled()));
            if (task.dropped() > 0) {
                text.append(", ").append(task.dropped()).append(" dropped");
            }
        }
        if (!outstanding.isEmpty()) {
            text.append("\n  lent and not released: ").append(String.join(", ", outstanding));
        }
        return text.toString();
    }
}
