package dev.jacquard.flow.runtime;

import dev.jacquard.core.graph.OpenRun;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.report.FlowReport.Outcome;
import java.util.ArrayList;
import java.util.List;

/**
 * A run as its session sees it: its part of the snapshot, the question if it is stuck, and its end where it is left
 * open.
 *
 * <p>Threads: any.
 */
final class Standing implements OpenRun {
    private final Run run;
    private final RunParts parts;

    Standing(Run run, RunParts parts) {
        this.run = run;
        this.parts = parts;
    }

    @Override
    public List<String> describe() {
        List<String> lines = new ArrayList<>();
        FlowReport report = run.report();
        lines.add("flow \"" + report.graph() + "\" " + (run.completed() ? "" : "not over, ") + report.outcome()
                + " since "
                + BufferGrants.age(run.elapsedNanos()) + ": " + report.sent() + " items sent, "
                + (parts.input().isOpen() ? "more may come, " : "no more will come, ") + report.delivered()
                + " delivered, "
                + report.undelivered() + " not fetched");
        for (Stage stage : parts.stages()) {
            lines.add(stage.read((total, producers, queued, largest) -> "  " + describe(stage, total, queued)));
        }
        parts.ledger().describe(lines);
        return lines;
    }

    private String describe(Stage stage, ItemCounters total, int queued) {
        int atWork = 0;
        int waiting = 0;
        int deferred = 0;
        for (TaskInstance copy : parts.copies()) {
            if (copy.isOf(stage)) {
                atWork += copy.isAtWork() ? 1 : 0;
                waiting += copy.isWaiting() ? 1 : 0;
                deferred += copy.deferred().load();
            }
        }
        StagePlan plan = stage.plan();
        StringBuilder text = new StringBuilder(plan.bookkeeper() ? "bookkeeper \"" : "task \"")
                .append(plan.name())
                .append("\", ")
                .append(plan.copies())
                .append(plan.copies() == 1 ? " copy" : " copies")
                .append(plan.options().is(StagePlan.Trait.DEDICATED) ? " with threads of their own" : "")
                .append(": ")
                .append(total.executed)
                .append(" done, ")
                .append(queued)
                .append(" wait");
        if (queued > 0 && stage.needs().length > 0) {
            text.append(" (").append(stage.gated()).append(" of them for buffers)");
        }
        text.append(deferred > 0 ? ", " + deferred + " at work as tasks" : "");
        text.append(atWork > 0 ? ", " + atWork + " in a body" : "");
        return text.append(waiting > 0 ? ", " + waiting + " in a body that waits for a buffer" : "")
                .toString();
    }

    @Override
    public long progress() {
        long moved = parts.ledger().progress() + parts.input().sent();
        for (Stage stage : parts.stages()) {
            moved += stage.read((total, producers, queued, largest) ->
                    total.executed + total.failed + total.cancelled + producers + stage.changes());
        }
        return isAnyMoving() ? moved + run.elapsedNanos() : moved;
    }

    private boolean isAnyMoving() {
        return parts.copies().stream().anyMatch(TaskInstance::isMoving);
    }

    @Override
    public boolean isStuck() {
        if (run.completed() || isAnyMoving()) {
            return false;
        }
        boolean queued = parts.ledger().isAwaited();
        for (Stage stage : parts.stages()) {
            queued |= stage.read((total, producers, waiting, largest) -> waiting) > 0;
            if (stage.plan().options().pollNanos() > 0 && !queued) {
                return false; // it looks again by itself
            }
        }
        return queued // a body that blocks may wait for something from outside, but then no item may wait for it
                || (!parts.input().isOpen() && parts.copies().stream().noneMatch(TaskInstance::isAtWork));
    }

    @Override
    public void end() {
        boolean over = run.completed();
        run.close();
        FlowReport report = run.report();
        if (!over || report.undelivered() > 0 || report.outcome() != Outcome.DONE) {
            throw new IllegalStateException("the session was closed while flow \"" + report.graph()
                    + "\" was open: of its items " + report.cancelled() + " were cancelled, and " + report.undelivered()
                    + " results not fetched; finish, fetch and close a flow before its session\n" + report);
        }
    }
}
