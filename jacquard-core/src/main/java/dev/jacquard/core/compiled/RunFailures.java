package dev.jacquard.core.compiled;

import dev.jacquard.core.graph.Outcome;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * What did not go well in a run: causes on their way along the edges, failures, counts. All fields are guarded by this.
 */
final class RunFailures {
    private static final int KEPT_FAILURES = 16;

    private final Edges edges;
    /** Why a task cannot run, by its number. Made when the first task fails. */
    private @Nullable Outcome @Nullable [] causes;

    /** How tasks ended that did not end well, by number, in the pass in flight, which is the last then. */
    private @Nullable TaskState @Nullable [] ends;

    private final List<Outcome> failures = new ArrayList<>();
    private @Nullable Outcome firstCancelled;
    private long failed;
    private long cancelled;
    private long skipped;

    private long runs;
    private long lastPasses;
    private long lastFailed;
    private long lastCancelled;
    private long lastSkipped;

    RunFailures(Edges edges) {
        this.edges = edges;
    }

    /** A run is over, its failure taken: what it counted is the last report. */
    synchronized void endRun(long passes) {
        runs++;
        lastPasses = passes;
        lastFailed = failed;
        lastCancelled = cancelled;
        lastSkipped = skipped;
        causes = null;
        ends = null;
        failures.clear();
        firstCancelled = null;
        failed = 0;
        cancelled = 0;
        skipped = 0;
    }

    synchronized RunReport lastReport() {
        return new RunReport(runs, lastPasses, lastPasses * edges.tasks(), lastFailed, lastCancelled, lastSkipped);
    }

    synchronized @Nullable Outcome causeOf(int task) {
        return causes == null ? null : causes[task];
    }

    synchronized void skipped() {
        skipped++;
    }

    /** How a task ended in the last pass; null when it ended well, or was skipped. */
    synchronized @Nullable TaskState endOf(int task) {
        return ends == null ? null : ends[task];
    }

    /** A task did not end well; what reads its data cannot run. */
    synchronized void keep(int task, TaskState last, Outcome how) {
        @Nullable TaskState[] all = ends;
        if (all == null) {
            all = new @Nullable TaskState[edges.tasks()];
            ends = all;
        }
        all[task] = last;
        if (last == TaskState.FAILED) {
            failed++;
            if (failures.size() < KEPT_FAILURES) {
                failures.add(how);
            }
        } else {
            cancelled++;
            firstCancelled = firstCancelled == null && how.isConsequence() ? how : firstCancelled;
        }
        if (how.root() != null) {
            poison(task, how);
        }
    }

    private void poison(int task, Outcome how) {
        @Nullable Outcome[] all = causes;
        if (all == null) {
            all = new @Nullable Outcome[edges.tasks()];
            causes = all;
        }
        for (int edge : edges.from(task)) {
            if (Edges.carriesFailure(edge)) {
                all[Edges.later(edge)] = how;
            }
        }
    }

    /** What a run that was not all well throws. */
    synchronized RuntimeException failure(String graph, long passes) {
        RunReport report = new RunReport(runs + 1, passes, passes * edges.tasks(), failed, cancelled, skipped);
        if (!failures.isEmpty()) {
            String consequences = "\n  " + report
                    + (firstCancelled == null ? "" : "; first cancelled: \"" + firstCancelled.task() + '"');
            TaskFailedException first = TaskFailedException.of(failures.getFirst(), consequences);
            failures.subList(1, failures.size())
                    .forEach(other -> first.addSuppressed(TaskFailedException.of(other, "")));
            return first;
        }
        return new CancellationException("compiled graph \"" + graph + "\" was cancelled: " + report);
    }
}
