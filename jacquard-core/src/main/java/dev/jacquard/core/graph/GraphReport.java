package dev.jacquard.core.graph;

import dev.jacquard.core.execution.Ends;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How many tasks of a graph ended how. A snapshot: exact when nothing runs. Two reports are equal when their counts
 * are.
 *
 * @param submitted all
 * @param done ended well
 * @param failed their bodies threw
 * @param cancelled did not run, or were interrupted when their graph was cancelled
 * @param tagsWithoutMembers tags that tasks were to come after, and that no task had had by then; only the first ones
 */
public record GraphReport(long submitted, long done, long failed, long cancelled, List<String> tagsWithoutMembers) {
    public GraphReport {
        tagsWithoutMembers = List.copyOf(tagsWithoutMembers);
    }

    /** A report of a graph whose tags had members. */
    public GraphReport(long submitted, long done, long failed, long cancelled) {
        this(submitted, done, failed, cancelled, List.of());
    }

    /** Those that are not over. */
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
        return submitted + " tasks: " + new Ends(done, failed, cancelled) + ", " + pending() + " pending" + tags;
    }
}
