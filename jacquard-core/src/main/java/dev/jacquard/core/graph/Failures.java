package dev.jacquard.core.graph;

import dev.jacquard.base.failure.Suppressed;
import dev.jacquard.core.execution.FailureLog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The failures of one graph that its next await has to report. A failure is reported once: by join, by a stage that
 * handles it, or by await. Tasks that it cancels are reported with it if they were submitted before; tasks that are
 * submitted later and read poisoned data are reported again.
 *
 * <p>Threads: any; guarded by its own monitor, under which the monitors of outcomes may be taken.
 */
final class Failures {
    /** The most failures that are kept until they are reported, by an await or otherwise. */
    private static final int MOST_KEPT = 1024;

    /**
     * The largest number of failures in {@link #told} and {@link #consequences}: any more may be reported again, or are
     * counted only.
     */
    private static final int MOST_TOLD = 64;

    private final String graph;
    /** Weak: the entries of failures, which poisoned data refers to, must not keep the graph alive. */
    private final GraphReference reference;

    private final DependencyDomain domain;
    private final FailureLog<Outcome> untold = new FailureLog<>(MOST_KEPT);
    /**
     * Of each failure of another graph, or that was reported before: the first task of this graph that it cancelled.
     */
    private final List<Outcome> consequences = new ArrayList<>(0);
    /** The number of tasks that further such failures cancelled, and the last of these tasks. */
    private long leftOut;

    private @Nullable Outcome spare;
    /** The failures of other graphs that were reported here, with the numbers of these reports. */
    private final IdentityHashMap<Outcome, Long> told = new IdentityHashMap<>(0);
    /** The number of reports in the session, other than by awaits. */
    private final AtomicLong tellings;
    /** The number of awaits that have reported failures. */
    private long awaits;

    /** The entry of a graph for a failure in that graph. */
    static final class Entry {
        private final Failures owner;
        private final long since;
        /** True if the log was full when the failure was added. */
        private final boolean isLeftOut;
        /** True once the log has dropped the failure. Guarded by the owner. */
        private boolean dropped;

        Entry(Failures owner, long since, boolean isLeftOut) {
            this.owner = owner;
            this.since = since;
            this.isLeftOut = isLeftOut;
        }

        /** Returns true once an await has reported the failure. */
        boolean isTold() {
            synchronized (owner) {
                return since < owner.awaits;
            }
        }

        /** Returns true if the failure is only counted by an await, not reported. */
        boolean isLeftOut() {
            return isLeftOut;
        }
    }

    Failures(String graph, GraphReference reference, DependencyDomain domain) {
        this.graph = graph;
        this.reference = reference;
        this.domain = domain;
        this.tellings = domain.tellings;
    }

    /** Keeps the outcome of a task that did not end well, and the graph while there is something to report. */
    synchronized void keep(Outcome how) {
        enter(how);
        rememberUnlessEmpty();
    }

    /** Keeps the graph while there is something to report. */
    synchronized void rememberUnlessEmpty() {
        TaskGraph its = reference.get();
        if (its != null && !isEmpty()) {
            domain.remember(its);
        }
    }

    private boolean isEmpty() {
        return untold.isEmpty() && consequences.isEmpty() && spare == null && !reference.hasLateness();
    }

    /** Releases the graph if there is nothing to report any more. Under the monitor. */
    private void forgetIfEmpty() {
        TaskGraph its = reference.get(); // null if it is gone: nothing has kept it
        if (its != null && isEmpty()) {
            domain.forget(its);
        }
    }

    private void enter(Outcome how) {
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
            how.kept = new Entry(this, awaits, false); // of this graph, which reports its cancellation itself
            return;
        }
        Outcome incident = how.incident();
        if (incident.isFailure() && isOwn(incident) && !incident.wasTold() && !how.isFailedInside()) {
            untold.cancelled(how.task(), incident);
        }
        if (isOwn(incident)
                || told.containsKey(incident)
                || consequences.stream().anyMatch(one -> one.incident() == incident)) {
            return;
        }
        if (consequences.size() < MOST_TOLD) {
            consequences.add(how);
        } else {
            leftOut++;
            spare = how;
        }
    }

    /** Returns true if this graph reports {@code incident}: one of its own tasks failed, or was cancelled with it. */
    private boolean isOwn(Outcome incident) {
        Entry record = incident.kept;
        return record != null && record.owner == this;
    }

    /** Notes that a caller learns how a task of this graph ended. */
    void tell(@Nullable Outcome how) {
        if (how == null) {
            return;
        }
        long number = tellings.incrementAndGet(); // first: tasks submitted after the report see it
        Outcome root = how.root();
        if (root != null) {
            root.tell(number);
            root.shrinkPoison(false);
            Entry record = root.kept;
            if (record != null) {
                record.owner.drop(root, record);
            }
        }
        synchronized (this) {
            Outcome incident = how.incident();
            if (!isOwn(incident) && told.size() < MOST_TOLD) {
                told.putIfAbsent(incident, number);
            }
            consequences.removeIf(one -> one.incident() == incident);
            forgetIfEmpty();
        }
        how.incident().shrinkPoison(false);
    }

    private synchronized void drop(Outcome failure, Entry record) {
        if (!record.dropped) {
            record.dropped = true;
            untold.drop(failure, record.isLeftOut && record.since == awaits);
            forgetIfEmpty();
        }
    }

    /** Returns the outcome of a task that is submitted now and cannot run because of {@code why}. */
    Outcome asOfNow(Outcome why) {
        return met(Long.MAX_VALUE, why);
    }

    /**
     * Returns the outcome of a task that waits for nothing, was submitted after the first {@code number} reports of the
     * session other than by awaits, and cannot run because of {@code why}.
     */
    Outcome met(long number, Outcome why) {
        return why.incident().isInAwait() ? why.anew() : asOf(number, why);
    }

    /**
     * Returns the outcome of a task that was submitted after the first {@code number} reports of the session other than
     * by awaits, and waited for a task that ended with {@code why}.
     */
    Outcome asOf(long number, Outcome why) {
        Outcome incident = why.incident();
        Long here;
        synchronized (this) {
            here = told.get(incident);
        }
        return (here != null && here <= number) || incident.wasTold(number) ? why.anew() : why;
    }

    /**
     * Takes the failures, and returns the exception that an await throws for them; null for none. They count as
     * reported from here on.
     *
     * @param report supplies the numbers of the graph's tasks
     */
    @Nullable
    RuntimeException take(Supplier<GraphReport> report) {
        FailureLog<Outcome> failures;
        List<Outcome> earlier;
        long more;
        synchronized (this) {
            if (spare != null && consequences.isEmpty()) { // all others were reported
                consequences.add(spare);
                leftOut--;
            }
            more = leftOut;
            leftOut = 0;
            spare = null;
            failures = untold.isEmpty() ? null : untold.copy();
            earlier = consequences.isEmpty() ? List.of() : failuresFirst(consequences);
            untold.clear();
            consequences.clear();
            told.clear();
            awaits++;
            forgetIfEmpty();
        }
        RuntimeException thrown = failures == null // without a lock: errors tell their texts
                ? null
                : failures.exception(report.get(), TaskFailedException::of);
        if (failures != null) {
            failures.each(each -> each.shrinkPoison(true));
        }
        for (Outcome one : earlier) {
            boolean last = one == earlier.getLast();
            RuntimeException its = ofEarlier(one, report.get() + (last ? leftOutText(more) : ""));
            one.incident().shrinkPoison(true);
            thrown = Suppressed.join(thrown, its);
        }
        return thrown;
    }

    private static String leftOutText(long tasks) {
        return tasks == 0
                ? ""
                : "; " + tasks + (tasks == 1 ? " task" : " tasks") + " that further failures cancelled "
                        + (tasks == 1 ? "is" : "are") + " left out";
    }

    /** Returns them in the same order, but with outcomes of cancelled graphs last. */
    private static List<Outcome> failuresFirst(List<Outcome> all) {
        return all.stream()
                .sorted(Comparator.comparing(one -> one.root() == null))
                .toList();
    }

    /**
     * Returns the exception for a task that could not run because of a failure that was reported before, or of another
     * graph.
     */
    private RuntimeException ofEarlier(Outcome stopped, String report) {
        String consequences = stopped.consequence() + "\n  " + report;
        Outcome root = stopped.root();
        return root == null
                ? new CancellationException((stopped.stopped().isEmpty() ? "a graph" : stopped.stopped())
                        + " was cancelled before it wrote the data that graph \"" + graph + "\" reads,"
                        + consequences)
                : TaskFailedException.of(root, consequences);
    }
}
