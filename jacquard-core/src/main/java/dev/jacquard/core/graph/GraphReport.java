package dev.jacquard.core.graph;

import dev.jacquard.core.execution.FailureLog.Ends;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a graph's tasks, by their end. A snapshot: exact when nothing runs. Two reports are equal if their
 * numbers are.
 *
 * @param submitted all tasks
 * @param done the tasks that ended well
 * @param failed the tasks whose bodies threw
 * @param cancelled the tasks that did not run, or were interrupted when their graph was cancelled
 * @param tagsWithoutMembers the first tags that tasks were to come after and that no task had had by then
 */
public record GraphReport(long submitted, long done, long failed, long cancelled, List<String> tagsWithoutMembers) {
    public GraphReport {
        tagsWithoutMembers = List.copyOf(tagsWithoutMembers);
    }

    /** Creates a report of a graph whose tags had members. */
    public GraphReport(long submitted, long done, long failed, long cancelled) {
        this(submitted, done, failed, cancelled, List.of());
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
