package dev.jacquard.core.graph;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a task did not end well. Holds neither a task nor the outcomes between the task and the failure, so
 * that it keeps nothing alive: however long the path, only its ends are known. For implementations of graphs; users
 * meet a {@link TaskFailedException}.
 *
 * <p>Constant, except for the entries that {@link Failures} keeps here for the failures that it reports.
 */
public final class Outcome {
    /** The number of tasks named at each end of a path. */
    private static final int NAMED = 4;

    private final String task;
    private final @Nullable Throwable error;
    private final String details;
    /** Names the graph whose cancellation is at the start of the path; empty when none is, or it is unknown. */
    private final String stopped;
    /** The failure that it was cancelled for; null when it failed itself, or when a graph was cancelled. */
    private final @Nullable Outcome origin;
    /** The outcome with which this one is reported; null when this one is reported by itself. */
    private final @Nullable Outcome part;
    /** The first names of the path, from the failed task on. */
    private final List<String> head;
    /** The last names of the path, as far as {@link #head} does not have them. */
    private final List<String> tail;
    /** The number of tasks on the path, this one included. */
    private final int length;
    /** True if the task counts as failed, since a task inside of it failed. */
    private final boolean failedInside;

    /**
     * The entry of the graph of the task. Written once, by {@link Failures}, before anything that depends on the task
     * can start.
     */
    volatile Failures.@Nullable Entry kept;
    /**
     * The number of the report of the outcome, other than by an await; 0 before. Set by any thread, before that thread
     * reads {@link #kept}; the writer of {@link #kept} reads this field after its write.
     */
    private volatile long told;
    /** The poison, of an incident; null before the first question for it. Guarded by this. */
    private Poison.@Nullable OfIncident poison;

    private Outcome(
            String task,
            @Nullable Throwable error,
            String details,
            String stopped,
            @Nullable Outcome origin,
            @Nullable Outcome part,
            List<String> head,
            List<String> tail,
            int length,
            boolean failedInside) {
        this.task = task;
        this.error = error;
        this.details = details;
        this.stopped = stopped;
        this.origin = origin;
        this.part = part;
        this.head = head;
        this.tail = tail;
        this.length = length;
        this.failedInside = failedInside;
    }

    /**
     * Returns the outcome of a task with a body that threw {@code error}; {@code details} name the place and the
     * accesses.
     */
    public static Outcome failed(String task, Throwable error, String details) {
        return new Outcome(task, error, details, "", null, null, List.of(task), List.of(), 1, false);
    }

    /**
     * Returns the outcome of a task that did not run, because of another task's outcome or (null) because the graph was
     * cancelled.
     */
    public static Outcome cancelled(String task, @Nullable Outcome because) {
        if (because == null) {
            return stopped(task, "");
        }
        return consequence(task, because, false);
    }

    /**
     * Returns the outcome of a task with a body that ended well, and with a sub-task that failed with {@code because}.
     */
    static Outcome failedInside(String task, Outcome because) {
        return consequence(task, because, true);
    }

    private static Outcome consequence(String task, Outcome because, boolean inside) {
        boolean near = because.head.size() < NAMED;
        return new Outcome(
                task,
                null,
                "",
                because.stopped,
                because.root(),
                because.incident(),
                near ? with(because.head, task) : because.head,
                near ? List.of() : with(because.tail, task),
                because.length + 1,
                inside);
    }

    /**
     * Returns the outcome of a task that did not run because {@code graph}, a text that names its graph, was cancelled.
     */
    static Outcome stopped(String task, String graph) {
        return new Outcome(task, null, "before it started", graph, null, null, List.of(task), List.of(), 1, false);
    }

    /**
     * Returns the outcome of a task that had begun, and ended or was not tried again because {@code graph}, a text that
     * names its graph or is empty, was cancelled.
     */
    public static Outcome interrupted(String task, String graph) {
        return new Outcome(task, null, "while it ran", graph, null, null, List.of(task), List.of(), 1, false);
    }

    /**
     * Returns the same outcome for a task that is submitted after this one was reported; its consequences are to be
     * reported again.
     */
    Outcome anew() {
        return new Outcome(task, error, details, stopped, root(), null, head, tail, length, failedInside);
    }

    /** Returns the outcome of a task at the end of this path, which begins with {@code incident}. */
    Outcome because(Outcome incident) {
        return new Outcome(
                task, error, details, incident.stopped, incident.root(), incident, head, tail, length, failedInside);
    }

    /**
     * Returns the poison that the task leaves in its output. Any thread.
     *
     * @param unordered true for unordered resources
     */
    Poison poison(boolean unordered) {
        Outcome incident = incident();
        Poison.OfIncident its;
        synchronized (incident) {
            if (incident.poison == null) {
                incident.poison = new Poison.OfIncident(incident);
            }
            its = incident.poison;
        }
        if (unordered) {
            its.isUnordered();
        }
        boolean inAwait = incident.isInAwait();
        Failures.Entry entry = incident.kept;
        boolean isLeftOut = entry != null && entry.isLeftOut();
        if (incident.wasTold() || inAwait || isLeftOut) { // the thread that reported it may have missed this
            its.shrink(inAwait);
        }
        return incident == this
                ? its
                : new Poison.OfConsequence(
                        new Outcome(task, null, details, "", null, null, head, tail, length, failedInside), its);
    }

    /**
     * Lets the poison go on without the exception, since the failure was reported. Any thread.
     *
     * @param byAwait true if an await has reported it
     */
    void shrinkPoison(boolean byAwait) {
        Poison.OfIncident its;
        synchronized (this) {
            its = poison;
        }
        if (its != null) {
            its.shrink(byAwait);
        }
    }

    /** Returns the names and one more; only the last names when there are many. */
    private static List<String> with(List<String> names, String more) {
        List<String> longer = new ArrayList<>(names.size() < NAMED ? names : names.subList(1, NAMED));
        longer.add(more);
        return List.copyOf(longer);
    }

    /** Returns the name of the task. */
    public String task() {
        return task;
    }

    /** Returns the exception of the task's body; null when the task was cancelled. */
    public @Nullable Throwable error() {
        return error;
    }

    /** Returns the worker and the accesses, for messages. */
    public String details() {
        return details;
    }

    /** Returns true if the task's own body threw. */
    public boolean isFailure() {
        return error != null;
    }

    /** Returns true if the outcome of another task is the reason. */
    public boolean isConsequence() {
        return length > 1;
    }

    /** Returns true if the task counts as failed, since a task inside of it failed. */
    boolean isFailedInside() {
        return failedInside;
    }

    /** Returns a line that says how the task ended because of the start of the path, to end a message. */
    String consequence() {
        return "\n  so " + path() + (failedInside ? " failed" : " was cancelled");
    }

    /** Names the graph whose cancellation is at the start of the path; empty when none is, or it is unknown. */
    String stopped() {
        return stopped;
    }

    /** Returns the failure at the start of the path; null when the graph was cancelled. */
    public @Nullable Outcome root() {
        return origin != null ? origin : isFailure() ? this : null;
    }

    /** The failure that it was cancelled for; null when it failed itself, or when a graph was cancelled. */
    public @Nullable Outcome origin() {
        return origin;
    }

    /** The first names of the path, from the failed task on. */
    public List<String> head() {
        return head;
    }

    /** The last names of the path, as far as {@link #head} does not have them. */
    public List<String> tail() {
        return tail;
    }

    /**
     * Returns the outcome with which this one is reported: a failure, or the first consequence of a failure that was
     * reported before.
     */
    Outcome incident() {
        return part == null ? this : part;
    }

    /** Notes that the outcome is reported, as the {@code number}th of the session. */
    void tell(long number) {
        if (told == 0) {
            told = number;
        }
    }

    /** Returns true once the outcome was reported by other means than an await. */
    boolean wasTold() {
        return told != 0;
    }

    /** Returns true if the outcome was reported by one of the first {@code tellings} reports other than by awaits. */
    boolean wasTold(long tellings) {
        long number = told;
        return number != 0 && number <= tellings;
    }

    /** Returns true once an await has reported the outcome. */
    boolean isInAwait() {
        Failures.Entry entry = kept;
        return entry != null && entry.isTold();
    }

    /** Returns the names from the failed task to this one; the middle is left out when there are many. */
    public String path() {
        List<String> names = new ArrayList<>();
        head.forEach(name -> names.add('"' + name + '"'));
        int left = length - head.size() - tail.size();
        if (left > 0) {
            names.add("… " + left + " more …");
        }
        tail.forEach(name -> names.add('"' + name + '"'));
        return String.join(" -> ", names);
    }
}
