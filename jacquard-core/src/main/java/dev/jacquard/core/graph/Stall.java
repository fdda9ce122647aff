package dev.jacquard.core.graph;

import dev.jacquard.core.graph.RunSnapshot.TaskView;
import java.time.Duration;
import java.util.List;

/** Explains, in words, why nothing moves any more. */
final class Stall {
    private static final int MOST_LINES = 20;

    private Stall() {}

    /** What to tell when nothing has moved for {@code time}, though tasks are not over. */
    static String explain(RunSnapshot snapshot, Duration time) {
        long left = snapshot.tasks().size() + snapshot.missing();
        StringBuilder text = new StringBuilder("nothing has moved for ")
                .append(Spans.text(time))
                .append(", and ")
                .append(
                        left == 0 && !snapshot.streams().isEmpty()
                                ? "runs of flow graphs are"
                                : left + (left == 1 ? " task is" : " tasks are"))
                .append(" not over; what they wait for in the end:");
        List<TaskView> ends = snapshot.tasks().stream()
                .filter(task ->
                        task.waitsFor().stream().noneMatch(wait -> wait.what().startsWith("\"")))
                .toList();
        ends.stream().limit(MOST_LINES).forEach(task -> text.append("\n  ").append(task));
        if (ends.size() > MOST_LINES) {
            text.append("\n  … ").append(ends.size() - MOST_LINES).append(" more");
        }
        snapshot.streams().stream()
                .limit(MOST_LINES)
                .forEach(line -> text.append("\n  ").append(line));
        snapshot.notes().forEach(note -> text.append("\n  ").append(note).append(", which gives them to no worker"));
        return text.append('\n').append(snapshot).toString();
    }
}
