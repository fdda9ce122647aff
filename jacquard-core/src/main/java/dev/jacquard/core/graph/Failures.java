package dev.jacquard.core.graph;

import dev.jacquard.core.execution.FailureLog;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The failures of one graph that its next await has to tell. A failure is told once: by join, by a stage that handles
 * it, or by await. What it cancels among tasks that were submitted before is told with it; tasks that are submitted
 * later and read what it poisoned are told anew.
 *
 * <p>Threads: any; guarded by its own monitor, under which the monitors of outcomes may be taken.
 */
final class Failures {
    /** With more, the oldest may be told again. */
    private static final int MOST_TOLD = 64;

    private final String graph;
    private final FailureLog<Outcome> untold = new FailureLog<>();
    /** The first task of this graph cancelled for what other graphs did, or for what was told before. */
    private @Nullable Outcome consequence;
    /** Told here, and begun elsewhere. By identity. */
    private final Set<Outcome> told = Collections.newSetFromMap(new IdentityHashMap<>());
    /** How many awaits have told failures. */
    private long awaits;

    /** A graph's own entry for one failure of it. */
    record Entry(Failures owner, long since, boolean isLeftOut) {
        /** True once an await has told it. */
        boolean isTold() {
            synchronized (owner) {
                return since < owner.awaits;
            }
        }
    }

    Failures(String graph) {
        this.graph = graph;
    }

    /** A task did not end well. */
    synchronized void keep(Outcome how) {
        if (how.isFailure()) {
            if (how.kept == null) {
                how.kept = new Entry(this, awaits, untold.isFull());
                if (!how.wasTold()) {
                    untold.add(how);
                }
            }
            return;
        }
        if (!how.isConsequence()) {
            how.kept = new Entry(this, awaits, false); // of this graph, which says itself that it was cancelled
            return;
        }
        untold.cancelled(how.task());
        Outcome incident = how.incident();
        if (consequence == null && !isOwn(incident) && !told.contains(incident)) {
            consequence = how;
        }
    }

    /**
     * True if the telling of {@code incident} is this graph's: one of its own tasks failed, or was cancelled with it.
     */
    private boolean isOwn(Outcome incident) {
        Entry record = incident.kept;
        return record != null && record.owner == this;
    }

    /** Notes that a caller learns how a task of this graph ended. */
    void tell(@Nullable Outcome how) {
        if (how == null) {
            return;
        }
        Outcome root = how.root();
        if (root != null) {
            root.tell();
            Entry record = root.kept;
            if (record != null) {
                record.owner.drop(root, record);
            }
        }
        synchronized (this) {
            Outcome incident = how.incident();
            if (!isOwn(incident) && told.size() < MOST_TOLD) {
                told.add(incident);
            }
            if (consequence != null && consequence.incident() == incident) {
                consequence = null;
            }
        }
    }

    private synchronized void drop(Outcome failure, Entry record) {
        untold.drop(failure, record.isLeftOut && record.since == awaits);
    }

    /** The outcome that a task which is submitted now, and cannot run because of {@code why}, is given. */
    Outcome asOfNow(Outcome why) {
        Outcome incident = why.incident();
        boolean isOver;
        synchronized (this) {
            isOver = told.contains(incident);
        }
        return isOver || incident.isTold() ? why.anew() : why;
    }

    /**
     * Takes what an await has to throw; null for nothing. It counts as told from here on.
     *
     * @param report how the graph's tasks ended
     */
    @Nullable
    RuntimeException take(Supplier<GraphReport> report) {
        FailureLog<Outcome> failures;
        Outcome earlier;
        synchronized (this) {
            failures = untold.isEmpty() ? null : untold.copy();
            earlier = consequence;
            untold.clear();
            consequence = null;
            told.clear();
            awaits++;
        }
        return failures != null
                ? failures.exception(report.get(), TaskFailedException::of) // without a lock: errors tell their texts
                : earlier == null ? null : ofEarlier(earlier, report.get());
    }

    /** For a task that could not run because of what was told before, or happened in another graph. */
    private RuntimeException ofEarlier(Outcome stopped, GraphReport report) {
        String consequences = "\n  so " + stopped.path() + " was cancelled\n  " + report;
        Outcome root = stopped.root();
        return root == null
                ? new CancellationException((stopped.stopped().isEmpty() ? "a graph" : stopped.stopped())
                        + " was cancelled, and did not write what graph \"" + graph + "\" was to read,"
                        + consequences)
                : TaskFailedException.of(root, consequences);
    }
}
