package dev.jacquard.core.graph;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
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
    private static final int KEPT = 16;
    /** With more, the oldest may be told again. */
    private static final int MOST_TOLD = 64;

    private final String graph;
    private final List<Outcome> untold = new ArrayList<>();
    /** How many failures are untold beyond those. */
    private long leftOut;
    /** One of them, for when all others were told. */
    private @Nullable Outcome spare;
    /** The first task of this graph cancelled for what other graphs did, or for what was told before. */
    private @Nullable Outcome consequence;
    /** The first task that another one's end cancelled, since the last await. */
    private @Nullable Outcome firstCancelled;
    /** Told here, and begun elsewhere. By identity. */
    private final Set<Outcome> told = Collections.newSetFromMap(new IdentityHashMap<>());
    /** How many awaits have told failures. */
    private long awaits;

    /** A graph's own entry for one failure of it. */
    final class Entry {
        private final long since;
        private final boolean isLeftOut;

        private Entry(long since, boolean isLeftOut) {
            this.since = since;
            this.isLeftOut = isLeftOut;
        }

        Failures owner() {
            return Failures.this;
        }

        /** True once an await has told it. */
        boolean isTold() {
            synchronized (Failures.this) {
                return since < awaits;
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
                boolean full = untold.size() == KEPT;
                how.kept = new Entry(awaits, full);
                if (!how.wasTold()) {
                    add(how, full);
                }
            }
            return;
        }
        if (!how.isConsequence()) {
            how.kept = new Entry(awaits, false); // of this graph, which says itself that it was cancelled
            return;
        }
        firstCancelled = firstCancelled == null ? how : firstCancelled;
        Outcome incident = how.incident();
        if (consequence == null && !isOwn(incident) && !told.contains(incident)) {
            consequence = how;
        }
    }

    private void add(Outcome how, boolean full) {
        if (full) {
            leftOut++;
            spare = how;
        } else {
            untold.add(how);
        }
    }

    /**
     * True if the telling of {@code incident} is this graph's: one of its own tasks failed, or was cancelled with it.
     */
    private boolean isOwn(Outcome incident) {
        Entry record = incident.kept;
        return record != null && record.owner() == this;
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
                record.owner().drop(root, record);
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
        if (!untold.removeIf(one -> one == failure) && record.isLeftOut && record.since == awaits && leftOut > 0) {
            leftOut--;
        }
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
    synchronized @Nullable RuntimeException take(Supplier<GraphReport> report) {
        Outcome first = untold.isEmpty() ? (leftOut > 0 ? spare : null) : untold.getFirst();
        RuntimeException thrown = null;
        if (first != null) {
            thrown = ofFailures(first, report.get());
        } else if (consequence != null) {
            thrown = ofEarlier(consequence, report.get());
        }
        untold.clear();
        leftOut = 0;
        spare = null;
        consequence = null;
        firstCancelled = null;
        told.clear();
        awaits++;
        return thrown;
    }

    private TaskFailedException ofFailures(Outcome first, GraphReport report) {
        long more = leftOut - (untold.isEmpty() ? 1 : 0);
        String consequences = "\n  " + report
                + (firstCancelled == null ? "" : "; first cancelled: \"" + firstCancelled.task() + '"')
                + (untold.size() + more <= 1 ? "" : "; " + others(untold.size() - 1, more));
        TaskFailedException thrown = TaskFailedException.of(first, consequences);
        for (Outcome other : untold) {
            if (other != first) {
                thrown.addSuppressed(TaskFailedException.of(other, ""));
            }
        }
        return thrown;
    }

    private static String others(int suppressed, long more) {
        return (suppressed > 0 ? "suppressed: " + suppressed + " more" : "")
                + (suppressed > 0 && more > 0 ? ", and " : "")
                + (more > 0 ? more + (more == 1 ? " failure is" : " failures are") + " left out" : "");
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
