package dev.jacquard.core.graph;

import dev.jacquard.base.text.UserText;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.depend.AccessTracker;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The remains of a task that did not end well, where it was to write: trackers keep it in place of the task, as long as
 * nothing overwrites the data. It is small, and keeps no task, graph or exception alive once the failure was reported.
 *
 * <pre>
 *                      until it is reported       from then on
 *  of a failure        its outcome                the names of task and exception, the message
 *  of a consequence    the path from the failure, and the poison of that
 * </pre>
 */
abstract sealed class Poison implements Tracked {
    /**
     * Lets the trackers keep poison in place of {@code task}, which is over, unless a log keeps the task. By the worker
     * that ended the task with {@code how}, after all other steps of the end that concern later tasks.
     *
     * @param accesses the accesses that the task had at its end
     */
    static void leave(TaskNode task, AccessList accesses, Outcome how) {
        Scope scope = task.scope();
        if (scope.log != null) {
            return;
        }
        Poison poison = how.poison(false);
        scope.lock.lock();
        try {
            for (int i = 0; i < accesses.size(); i++) {
                Resource resource = accesses.resource(i);
                if (accesses.access(i) == TagAccess.MEMBER && resource instanceof TagAccess.TagResource its) {
                    scope.tags.poisoned(its.tag(), poison);
                    scope.tracker(resource).replace(task, TagAccess.MEMBER, null);
                } else if (!resource.isUnordered()) {
                    leave(task, accesses.access(i), scope.tracker(resource), poison);
                }
            }
        } catch (Error e) { // memory or the stack is full: a tracker may be half changed
            scope.domain.broken.by = e; // a field, since there may be no stack left for a call
            throw e;
        } finally {
            scope.lock.unlock();
        }
    }

    private static void leave(TaskNode task, Access access, AccessTracker<Tracked> tracker, Poison poison) {
        try {
            tracker.replace(task, access, access.writes() ? poison : null);
        } catch (RuntimeException | LinkageError | AssertionError e) {
            return; // the access breaks its laws: the task itself stays, which says the same
        }
    }

    /** Returns the outcome, as a task sees it that is submitted now; {@code reader} are the failures of its graph. */
    final Outcome seenBy(Failures reader) {
        return seenBy(reader, Long.MAX_VALUE);
    }

    /**
     * Returns the outcome, as a task sees it that waits for nothing.
     *
     * @param reader the failures of the graph of the task
     * @param tellings the number of reports of the session before its submission
     */
    abstract Outcome seenBy(Failures reader, long tellings);

    /** The poison of an incident: of a failed task, or of a task in a cancelled graph. */
    static final class OfIncident extends Poison {
        /**
         * The outcome; a {@link Failures.Entry} once only the text is kept of a failure that its graph counts; null
         * when the graph counts it no more. Volatile: publishes the text.
         */
        private volatile @Nullable Object kept;
        /**
         * True if unordered resources have it: a task that was submitted before the failure was reported may take them
         * after that, and asks which was first. Then only an await, which reports all, lets the outcome go.
         */
        private volatile boolean unordered;
        /** The name of the failed task. Written before the outcome goes. */
        private String task = "";
        /** The text of the exception. Written before the outcome goes. */
        private String text = "";

        OfIncident(Outcome incident) {
            this.kept = incident;
        }

        void isUnordered() {
            unordered = true;
        }

        /** Keeps only the text of a failure that was reported, or is counted only. Any thread. */
        void shrink(boolean byAwait) {
            Outcome root = kept instanceof Outcome incident ? incident.root() : null;
            if (root != null && (byAwait || !unordered)) {
                Failures.Entry entry = root.kept;
                task = root.task();
                text = PastFailureException.shared(UserText.of(Objects.requireNonNull(root.error())));
                kept = entry != null && entry.isLeftOut() ? entry : null;
            }
        }

        @Override
        Outcome seenBy(Failures reader, long tellings) {
            return seenBy(reader, tellings, null);
        }

        private Outcome seenBy(Failures reader, long tellings, @Nullable Outcome path) {
            Object its = kept;
            if (its instanceof Outcome incident) {
                return reader.met(tellings, path == null ? incident : path.because(incident));
            }
            Outcome root = Outcome.failed(task, new PastFailureException(text), "");
            root.kept = (Failures.Entry) its;
            return (path == null ? root : path.because(root)).anew();
        }
    }

    /** The poison of a task that was cancelled for an incident. */
    static final class OfConsequence extends Poison {
        private final Outcome path;
        private final OfIncident incident;

        /**
         * Creates the poison.
         *
         * @param path an outcome without an incident, which names the tasks on the way
         * @param incident the start of the path
         */
        OfConsequence(Outcome path, OfIncident incident) {
            this.path = path;
            this.incident = incident;
        }

        @Override
        Outcome seenBy(Failures reader, long tellings) {
            return incident.seenBy(reader, tellings, path);
        }
    }
}
