package dev.jacquard.flow.runtime;

import dev.jacquard.base.failure.Suppressed;
import dev.jacquard.core.graph.OpenRuns.OpenRun;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.report.FlowReport.Outcome;
import dev.jacquard.flow.runtime.RunPlan.StagePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * A run as its session sees it: its part of the snapshot, the question if it is stuck, and its end where it is left
 * open.
 *
 * <p>Threads: any.
 */
final class Standing implements OpenRun {
    private final RunParts parts;
    private final RunContext run;
    private final RunLife life;
    private final Sending sending;
    private final ReactiveEnds reactive;
    private final BooleanSupplier close;
    /** Throws inside of a comparator. */
    private final Runnable check;

    /** True once the watch has reported that a thread waits for results while more items may come. */
    private final AtomicBoolean reportedOpen = new AtomicBoolean();
    /** True once the watch has reported that a sender, or a subscriber, waits until results are read or requested. */
    private final AtomicBoolean reportedUnread = new AtomicBoolean();

    /**
     * The standing of a run.
     *
     * @param close closes the run; returns false if another call has begun to before, and has ended now
     * @param check throws inside of a comparator
     */
    Standing(
            RunParts parts,
            RunContext run,
            Sending sending,
            ReactiveEnds reactive,
            BooleanSupplier close,
            Runnable check) {
        this.check = check;
        this.parts = parts;
        this.run = run;
        this.life = run.life();
        this.sending = sending;
        this.reactive = reactive;
        this.close = close;
    }

    @Override
    public List<String> describe() {
        check.run();
        List<String> lines = new ArrayList<>();
        FlowReport report = parts.report(life.outcome());
        lines.add("flow \"" + report.graph() + "\" " + (life.completed() ? "" : "not over, ") + report.outcome()
                + " since "
                + Waiter.age(life.elapsedNanos()) + ": " + report.sent() + " items sent, "
                + (parts.input().isOpen() ? "more may come, " : "no more will come, ") + report.delivered()
                + " delivered, "
                + report.undelivered() + " not fetched");
        for (Stage stage : parts.stages()) {
            lines.add("  " + describe(stage, stage.counts()));
        }
        run.loans().describe(lines);
        if (run.ledger().isAwaited() && !isAnyMoving() && !life.completed()) {
            run.plan().proof().get().forEach(line -> lines.add("  " + line));
        }
        sending.describe(lines);
        reactive.describe(lines);
        if (isReaderAlone()) {
            lines.add("  a thread waits for results or for the end, and more items may come: "
                    + "call finish() once all items are sent");
        }
        return lines;
    }

    /** Returns true if a thread waits for results of items that are still to be sent. */
    private boolean isReaderAlone() {
        return life.isAwaited() && !life.stopping() && parts.input().isOpen() && !reactive.isFed();
    }

    private String describe(Stage stage, StageCounts counts) {
        int atWork = 0;
        int waiting = 0;
        int deferred = 0;
        int heldUp = 0;
        for (TaskInstance copy : stage.setup.instances) {
            atWork += copy.isAtWork() ? 1 : 0;
            waiting += copy.isWaiting() ? 1 : 0;
            deferred += copy.load();
            heldUp += copy.heldUp();
        }
        StagePlan plan = stage.setup.plan;
        boolean gated = counts.queued() > 0 && stage.setup.takes();
        String kind = plan.bookkeeper() ? "bookkeeper" : plan.place().distribution() == null ? "task" : "pipeline";
        return kind + " \"" + plan.name() + "\", " + plan.copies()
                + (plan.copies() == 1 ? " copy" : " copies")
                + (plan.options().is(StagePlan.Trait.DEDICATED) ? " with threads of their own" : "") + ": "
                + counts.total().executed + " done, "
                + (counts.total().dropped > 0 ? counts.total().dropped + " dropped, " : "") + counts.queued() + " wait"
                + (gated ? " (" + counts.gated() + " of them for buffers)" : "")
                + (deferred > 0 ? ", " + deferred + " at work as tasks" : "")
                + (atWork > 0 ? ", " + atWork + " in a body" : "")
                + (waiting > 0 ? ", " + waiting + " in a body that waits for a buffer" : "")
                + (heldUp > 0 ? ", which holds up " + heldUp + " whose tasks are over" : "");
    }

    @Override
    public long progress() {
        long moved = run.ledger().progress() + parts.input().sent();
        for (Stage stage : parts.stages()) {
            StageCounts counts = stage.counts();
            ItemCounters total = counts.total();
            moved += total.executed
                    + total.failed
                    + total.cancelled
                    + total.dropped
                    + counts.producers()
                    + stage.changes();
        }
        return isAnyMoving() ? moved + life.elapsedNanos() : moved;
    }

    private boolean isAnyMoving() {
        return parts.copies().stream().anyMatch(TaskInstance::isMoving);
    }

    @Override
    public boolean isStuck() {
        if (life.completed() || isAnyMoving()) {
            return false;
        }
        boolean queued = run.ledger().isAwaited();
        for (Stage stage : parts.stages()) {
            queued |= stage.counts().queued() > 0;
            if (stage.setup.plan.options().pollNanos() > 0 && !queued) {
                return false; // it looks again by itself
            }
        }
        return queued // a body that blocks may wait for something from outside, but then no item may wait for it
                || (!parts.input().isOpen() && parts.copies().stream().noneMatch(TaskInstance::isAtWork))
                || waitsForUser();
    }

    /**
     * Returns true if only a user's thread can make the run go on: one that sends, finishes or reads. Each case counts
     * once per run, since such a thread may come late.
     */
    private boolean waitsForUser() {
        if (parts.copies().stream().anyMatch(copy -> copy.code.isAtWork() || copy.load() > 0)) {
            return false;
        }
        return ((sending.waitsForReader() || reactive.waitsForSubscriber())
                        && reportedUnread.compareAndSet(false, true))
                || (isReaderAlone() && reportedOpen.compareAndSet(false, true));
    }

    @Override
    public void end() {
        boolean over = life.completed();
        CancellationException cancelled = null;
        try {
            if (!close.getAsBoolean()) {
                return; // a user closed it at the same time, and is notified of its end
            }
        } catch (CancellationException e) { // it suppresses later failures
            cancelled = e;
        }
        FlowReport report = parts.report(life.outcome());
        if (!over || report.undelivered() > 0 || report.outcome() != Outcome.DONE) {
            IllegalStateException lost = new IllegalStateException("the session was closed while flow \""
                    + report.graph()
                    + "\" was open: of its items " + report.cancelled() + " were cancelled, and " + report.undelivered()
                    + " results not fetched; finish, fetch and close a flow before its session\n" + report);
            if (cancelled != null) {
                Suppressed.add(lost, cancelled);
            }
            throw lost;
        }
    }
}
