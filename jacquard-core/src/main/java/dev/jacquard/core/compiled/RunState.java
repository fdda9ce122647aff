package dev.jacquard.core.compiled;

import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.core.execution.FailureLog;
import dev.jacquard.core.graph.DependencyDomain.CompiledWatch;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Outcome;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.engine.schedule.PolicyException;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.residency.DataClaim;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * The state of the run in flight of a compiled graph: the flags that make it unusual, its passes, its failures, and the
 * causes that travel along the edges.
 *
 * <p>Threads: any. All fields but the flags and the passes are guarded by the monitor of this object, and touched by
 * tasks only when something is wrong.
 */
final class RunState {
    private static final int CANCELLED = 1;
    private static final int FAILED = 2;
    private static final int TRACED = 4;
    private static final int WATCHED = 8;
    /** Set when the claim of a run failed, so that each of its tasks claims its data. */
    private static final int CLAIMED_BY_TASKS = 16;
    /** Set for a run in which tasks ask the {@link TaskLimit} first. */
    private static final int LIMITED = 32;

    private static final VarHandle FLAGS = Fields.handle(MethodHandles.lookup(), "flags", int.class);

    private final String graph;
    private final Dispatcher dispatcher;
    /** True if one thread counts predecessors down: there is one worker, and no task is a device's. */
    final boolean alone;

    private final FailurePolicy policy;
    /** The observer of changes of state; null when there is no listener. */
    private final @Nullable CompiledWatch watch;
    /** The decision on another pass; null when a run has one pass only. */
    private final @Nullable Decision repeat;

    private final InnerRun[] inners;
    private final Adjacency edges;
    /** The tasks, which the builder fills in. */
    final TaskTable tasks = new TaskTable();

    /** The node that a pass begins with. Written once, by the builder. */
    private @Nullable Node first;
    /** The claim of a run that claims data for all of its tasks. Written once, by the builder. */
    private @Nullable RunClaim claim;
    /** The graph's own schedule, which says which task is next; null for none. Written once, by the builder. */
    private @Nullable Scheduled scheduled;
    /** The lifecycle of the graph's runs. Written once, when the graph is made. */
    private @Nullable RunLifecycle lifecycle;

    /** The limit of tasks at a time; null as long as the user set none. Written once, under the monitor. */
    private volatile @Nullable TaskLimit limit;

    /** The flags of a run in which all is well. */
    private final int usualFlags;
    /**
     * The flags that make a run unusual; 0 while all is well. Set when a run begins, and with a read-modify-write by a
     * thread that meets a failure or cancels. Read opaquely: a task that comes after the failed one sees the flag
     * through the counters; any other task may see it late.
     */
    @SuppressWarnings("unused") // through its VarHandle
    private int flags;
    /** Passes of the run in flight that are over. Written by the worker that ends a pass, ordered by the passes. */
    private long passes;

    /**
     * By a task's number, the reason why the task cannot run, and from its end on its outcome, unless it ended well.
     * Concerns the pass in flight, which is then the last. Made when the first task fails.
     */
    private @Nullable Outcome @Nullable [] outcomes;

    private final FailureLog<Outcome> failures = new FailureLog<>();
    private long failed;
    private long cancelled;
    private long skipped;

    private long runs;
    private long lastPasses;
    private long lastFailed;
    private long lastCancelled;
    private long lastSkipped;

    RunState(CompiledGraphBuilder builder, Adjacency edges, InnerRun[] inners) {
        this.graph = builder.name();
        this.dispatcher = builder.dispatcher();
        this.alone = dispatcher.workers() == 1 && !builder.drafts().useDevices();
        this.policy = builder.policy();
        this.watch = builder.watch();
        this.repeat = builder.repeat();
        this.edges = edges;
        this.inners = inners;
        this.usualFlags = (dispatcher.trace().on() ? TRACED : 0) | (watch == null ? 0 : WATCHED);
        this.flags = usualFlags;
    }

    /**
     * Sets the node that a pass begins with, and the claim of a run's data, if there is one. Called by the builder
     * only.
     */
    void beginWith(Node node, @Nullable RunClaim data) {
        first = node;
        claim = data;
    }

    /**
     * Sets the schedule that says which task is next. Called by the builder only.
     *
     * @param measures true if tasks are always measured
     */
    void orderBy(Scheduled its, boolean measures) {
        scheduled = its;
        if (measures) {
            ownLimit().measureAlways();
        }
    }

    /** Notifies the schedule of a task that ended well. Does nothing where there is none. */
    void finished(CompiledTask task) {
        if (scheduled != null) {
            scheduled.finished(task);
        }
    }

    /** Cancels the run, since its schedule broke the rules. */
    void cancelBySchedule() {
        if (!isCancelled()) {
            lifecycle().graph.cancel();
        }
    }

    /** Sets the lifecycle that is notified of a run's end. Called once, before any run. */
    void endWith(RunLifecycle its) {
        lifecycle = its;
    }

    /** Returns the node that a run begins with. Called once for each run, right before it begins. */
    Node beginning() {
        TaskLimit its = limit;
        if (its != null) {
            if (its.beginRun()) {
                FLAGS.getAndBitwiseOr(this, LIMITED);
            } else {
                FLAGS.getAndBitwiseAnd(this, ~LIMITED);
            }
        }
        if (scheduled != null) {
            scheduled.begin();
        }
        return Objects.requireNonNull(claim == null ? first : claim);
    }

    /** Returns the name of the graph. */
    String name() {
        return graph;
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    /** Returns the claim of data that the run in flight made for all of its tasks; null when there is none. */
    @Nullable
    DataClaim heldData() {
        return claim == null ? null : claim.held();
    }

    // ---- flags and passes

    int flags() {
        return (int) FLAGS.getOpaque(this);
    }

    /** Lets each task of the run that begins claim its data. */
    void claimByTasks() {
        FLAGS.getAndBitwiseOr(this, CLAIMED_BY_TASKS);
    }

    /** Returns the limit that tasks of the run in flight have to ask; null if they need not. */
    @Nullable
    TaskLimit limit() {
        return (flags() & LIMITED) == 0 ? null : limit;
    }

    /** Returns the limit, to be set for the next run. */
    synchronized TaskLimit ownLimit() {
        TaskLimit its = limit;
        if (its == null) {
            its = new TaskLimit(dispatcher.workers());
            limit = its;
        }
        return its;
    }

    boolean isCancelled() {
        return (flags() & CANCELLED) != 0;
    }

    /** Sets the flags for a run that begins. Under the monitor of the turns, or while no run is in flight. */
    void reset(boolean isCancelled) {
        FLAGS.setOpaque(this, isCancelled ? usualFlags | CANCELLED : usualFlags);
    }

    /**
     * Cancels the run in flight and its inner runs. Under the monitor of the turns, without which the run cannot end.
     * Inner graphs are built before outer ones, so the monitors have an order.
     */
    void cancel() {
        FLAGS.getAndBitwiseOr(this, CANCELLED);
        for (InnerRun inner : inners) {
            inner.cancel();
        }
    }

    /**
     * Notifies the session's listeners, if there are any, that {@code task} is {@code state} from now on.
     *
     * @param worker the worker that runs the task, or ran it
     */
    void tell(String task, TaskState state, int worker) {
        if (watch != null && !watch.changed(graph, task, state, worker)) {
            lifecycle().graph.cancel();
        }
    }

    /** Returns true if the session's run was ended, since a listener threw. */
    boolean isSessionEnded() {
        return watch != null && watch.hasEnded();
    }

    /** Ends a pass after its last task: begins the next pass, or ends the run. */
    void passOver(WorkerContext worker) {
        passes++;
        if (repeat != null && repeat.isChosen(1) && (flags() & (CANCELLED | FAILED)) == 0) {
            repeat.forget();
            worker.readyAtEnd(Objects.requireNonNull(first));
            return;
        }
        if (scheduled != null) {
            scheduled.end();
        }
        boolean well = (flags() & ~(CLAIMED_BY_TASKS | LIMITED)) == usualFlags && mistake() == null;
        if (claim != null) {
            claim.release(well, passes > 1);
        }
        lifecycle().over(worker, well ? null : failure());
    }

    private @Nullable PolicyException mistake() {
        return scheduled == null ? null : scheduled.mistake();
    }

    private RunLifecycle lifecycle() {
        return Objects.requireNonNull(lifecycle);
    }

    // ---- failures

    /** Turns the counts of a run that is over, or never started, into the last report. Its failure was taken before. */
    synchronized void end() {
        runs++;
        lastPasses = passes;
        lastFailed = failed;
        lastCancelled = cancelled;
        lastSkipped = skipped;
        outcomes = null;
        failures.clear();
        passes = 0;
        failed = 0;
        cancelled = 0;
        skipped = 0;
    }

    synchronized CompiledGraph.RunReport lastReport() {
        return new CompiledGraph.RunReport(
                runs, lastPasses, lastPasses * edges.tasks(), lastFailed, lastCancelled, lastSkipped);
    }

    /**
     * Returns the reason why a task cannot run, or its outcome in the last pass; null when the task can run, ended
     * well, or was skipped.
     */
    @Nullable
    Outcome outcomeOf(int task) {
        if ((flags() & FAILED) == 0) {
            return null; // all went well so far
        }
        synchronized (this) {
            return outcomes == null ? null : outcomes[task];
        }
    }

    synchronized void skipped() {
        skipped++;
    }

    /**
     * Keeps the outcome of a task that did not end well, so that tasks that read its data cannot run. Called before any
     * task that depends on it can start.
     */
    void keep(int task, Outcome how) {
        note(task, how);
        FLAGS.getAndBitwiseOr(this, FAILED);
        if (how.isFailure() && policy == FailurePolicy.STOP) {
            lifecycle().graph.cancel();
        }
    }

    private synchronized void note(int task, Outcome how) {
        outcomes = outcomes == null ? new @Nullable Outcome[edges.tasks()] : outcomes;
        outcomes[task] = how;
        if (how.isFailure()) {
            failed++;
            failures.add(how);
        } else {
            cancelled++;
            Outcome root = how.root();
            if (root != null) {
                failures.cancelled(how.task(), root);
            }
        }
        if (how.root() != null) {
            for (int edge : edges.from(task)) {
                if (Adjacency.carriesFailure(edge)) {
                    outcomes[Adjacency.later(edge)] = how;
                }
            }
        }
    }

    /** Returns the exception of a run that did not go all well. Called by the worker that ends the run. */
    private RuntimeException failure() {
        PolicyException mistake = mistake();
        return mistake == null ? failureOfTasks() : new PolicyException(mistake);
    }

    private synchronized RuntimeException failureOfTasks() {
        CompiledGraph.RunReport report =
                new CompiledGraph.RunReport(runs + 1, passes, passes * edges.tasks(), failed, cancelled, skipped);
        return failures.isEmpty()
                ? new CancellationException("compiled graph \"" + graph + "\" was cancelled: " + report)
                : failures.exception(report, TaskFailedException::of);
    }
}
