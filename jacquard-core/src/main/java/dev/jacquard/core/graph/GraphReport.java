package dev.jacquard.core.graph;

import dev.jacquard.core.execution.FailureLog.Ends;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a graph's tasks, by their end. A snapshot: exact when nothing runs. Two reports are equal if their
 * numbers are.
 *
 * @param submitted all tasks
 * @param done the tasks that ended well
 * @param failed the tasks with bodies that threw
 * @param cancelled the tasks that did not run, or were interrupted when their graph was cancelled
 * @param tagsWithoutMembers the first tags that tasks were to come after and that no task had had by then
 */
public record GraphReport(long submitted, long done, long failed, long cancelled, List<String> tagsWithoutMembers) {
    public GraphReport {
        tagsWithoutMembers = List.copyOf(tagsWithoutMembers);
    }

    /** Creates a report of a graph in which each tag had members. */
    public GraphReport(long submitted, long done, long failed, long cancelled) {
        this(submitted, done, failed, cancelled, List.of());
    }

    /**
     * Counts the tasks of a graph, and their sub-tasks.
     *
     * @param innerSubmitted the number of sub-tasks, read after the number of ended ones, which is never larger
     */
    static GraphReport of(TaskCounters tally, TaskCounters inner, AtomicLong innerSubmitted, List<String> unmet) {
        long done = tally.ended(TaskState.DONE) + inner.ended(TaskState.DONE);
        long failed = tally.ended(TaskState.FAILED) + inner.ended(TaskState.FAILED);
        long cancelled = tally.ended(TaskState.CANCELLED) + inner.ended(TaskState.CANCELLED);
        return new GraphReport(tally.submitted() + innerSubmitted.get(), done, failed, cancelled, unmet);
    }

    /** Returns the report in which tasks that are not over, and never will be, count as cancelled. */
    GraphReport abandoned() {
        return new GraphReport(submitted, done, failed, submitted - done - failed, tagsWithoutMembers);
    }

    /** Returns the number of tasks that are not over. */
    public long pending() {
        return submitted - done - failed - cancelled;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof GraphReport its
                && its.submitted == submitted
                && its.done == done
                && its.failed == failed
                && its.cancelled == cancelled;
    }

    @Override
    public int hashCode() {
        return Objects.hash(submitted, done, failed, cancelled);
    }

    @Override
    public String toString() {
        String tags = tagsWithoutMembers.isEmpty()
                ? ""
                : tagsWithoutMembers.stream()
                        .map(tag -> '"' + tag + '"')
                        .collect(Collectors.joining(
                                ", ", "; no task had the tag ", " when others were to come after it"));
        return submitted + (submitted == 1 ? " task: " : " tasks: ") + new Ends(done, failed, cancelled) + ", "
                + pending() + " pending" + tags;
    }
}
