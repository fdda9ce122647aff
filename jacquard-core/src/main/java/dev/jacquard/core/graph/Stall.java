package dev.jacquard.core.graph;

import dev.jacquard.core.graph.RunSnapshot.TaskView;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Explains, in words, why nothing moves any more. */
final class Stall {
    private static final int MOST_LINES = 20;

    private Stall() {}

    /** Explains a stall, as {@link DependencyDomain#explainStall} says. */
    static boolean explain(DependencyDomain domain, Duration time, Consumer<? super String> told) {
        OpenRuns runs = domain.openRuns();
        boolean streams = runs.isAnyStuck();
        if (!streams
                && !runs.compiled().areInFlight()
                && domain.graphs().stream().allMatch(TaskGraph::isOver)) {
            return false;
        }
        RunSnapshot snapshot = domain.snapshot();
        if (makesUp(domain) || (!streams && !hasWaiting(snapshot))) {
            return false; // a body that takes long, say
        }
        told.accept(explain(snapshot, time));
        return true;
    }

    /** Returns true if there is a task besides the tasks with running bodies. */
    private static boolean hasWaiting(RunSnapshot snapshot) {
        return snapshot.missing() > 0 || snapshot.tasks().stream().anyMatch(task -> !isOnWorker(task));
    }

    /**
     * Ends a run that is broken, and notifies tasks of complete stages, where a thread that was to do so had no stack
     * left. Returns true if there was anything to do.
     */
    private static boolean makesUp(DependencyDomain domain) {
        boolean any = domain.broken.isBroken();
        if (any) {
            domain.broken.endRun(BrokenSubmission.SOMETHING);
        }
        for (TaskGraph graph : domain.graphs()) {
            any |= graph.running().tellAgain();
        }
        return any;
    }

    private static boolean isOnWorker(TaskView task) {
        return task.where().startsWith("on worker");
    }

    /** Returns an explanation why nothing has moved for {@code time}, though tasks are not over. */
    private static String explain(RunSnapshot snapshot, Duration time) {
        long left = snapshot.tasks().size() + snapshot.missing();
        StringBuilder text = new StringBuilder("nothing has moved for ")
                .append(Durations.text(time))
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
        ends.stream()
                .limit(MOST_LINES)
                .forEach(task -> text.append("\n  ")
                        .append(task)
                        .append(isOnWorker(task) ? ": its body has run for that long at least, and is blocked" : ""));
        if (ends.size() > MOST_LINES) {
            text.append("\n  … ").append(ends.size() - MOST_LINES).append(" more");
        }
        snapshot.streams().stream()
                .limit(MOST_LINES)
                .forEach(line -> text.append("\n  ").append(line));
        snapshot.workers().stream()
                .filter(worker -> worker.doing().contains("inside of a submission"))
                .forEach(worker -> text.append("\n  ").append(worker));
        snapshot.notes().forEach(note -> text.append("\n  ").append(note).append(", which gives them to no worker"));
        return text.append('\n').append(snapshot).toString();
    }
}
