package dev.jacquard.core.graph;

import dev.jacquard.base.concurrent.SpinLock;
import dev.jacquard.base.text.UserText;
import dev.jacquard.core.execution.KnownGraphs;
import dev.jacquard.core.kernel.KernelBody;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.depend.Exclusions;
import dev.jacquard.memory.residency.Staging;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state that all graphs of a session share, since the accesses of their tasks meet in the same resources: the lock
 * that orders submissions, and the holders of the unordered resources.
 *
 * <p>There is one lock for all resources, not one for each: a submission holds the lock for some hundred nanoseconds,
 * needs one compare-and-set for any number of resources, and no order of locks. Tasks inside a refined task have a lock
 * of their own.
 *
 * <p>Threads: any.
 */
public final class DependencyDomain {
    final Object owner;
    final Dispatcher dispatcher;
    /** Guards the trackers of the owner's resources, and the graphs' records of their submissions. */
    final SpinLock lock;
    /** The exclusions among tasks that are inside no other task. */
    final Exclusions<TaskNode, Poison> exclusions = new Exclusions<>();

    private final KnownGraphs<TaskGraph> graphs = new KnownGraphs<>();

    final Options options;
    /** The observer of changes of state; null for none. */
    final @Nullable StateObserver watch;

    private final UserViews views = new UserViews();
    final UnfinishedTasks unfinished;
    final BrokenSubmission broken;
    final PolicyEdges policyEdges;
    final Epochs epochs;
    final LaunchAhead.Queues aheads = new LaunchAhead.Queues();
    final DevicePlaces.Spare choices = new DevicePlaces.Spare();
    private final OpenRuns openRuns = new OpenRuns();
    final RunningFunctions functions = new RunningFunctions();
    final Abandonment abandonment;
    /** The number of the next task. */
    final AtomicLong ids = new AtomicLong();
    /** The number of reports of failures, other than by awaits. */
    final AtomicLong tellings = new AtomicLong();
    /** The early end of the run; null for none. Written once, under {@link #graphs}. */
    private volatile @Nullable Ending ending;
    /** True once an await has reported {@link #ending}. */
    private final AtomicBoolean told = new AtomicBoolean();

    /**
     * True once a task has waited for the first member of a tag, so that edges may lead to later tasks. Written under
     * the lock of its scope. Never unset.
     */
    volatile boolean awaitsTags;

    /** The tasks that stand for runs of compiled graphs; null before the first run. Written under {@link #graphs}. */
    private volatile @Nullable TaskGraph runs;
    /** True while {@link #runs} is made, which a task may do in a closed session. Guarded by {@link #graphs}. */
    private boolean makesRuns;

    /** Set once, when the owner is about to close. */
    private volatile boolean closed;

    /**
     * Creates a domain.
     *
     * @param owner the session that owns the resources of the tasks
     * @param dispatcher where ready tasks go
     * @param options the options of its graphs
     */
    public DependencyDomain(Object owner, Dispatcher dispatcher, Options options) {
        this.owner = owner;
        this.dispatcher = dispatcher;
        this.options = options;
        this.watch = StateObserver.of(dispatcher, options.listeners(), this::end);
        this.unfinished = new UnfinishedTasks(options.checking() != null);
        this.broken = new BrokenSubmission(dispatcher, graphs::all).noticedBy(options.staging());
        this.lock = new SpinLock(broken);
        this.policyEdges = new PolicyEdges(dispatcher);
        this.abandonment = new Abandonment(dispatcher);
        this.epochs = new Epochs(lock, broken, watch != null, graphs, options.keepsGraphs());
    }

    /**
     * Closes the domain: only tasks that are not over can make graphs, and submit.
     *
     * @return the graphs that may have tasks to wait for, or failures to report; more when it is called again, if tasks
     *     have made some
     */
    public List<TaskGraph> close() {
        closed = true;
        Ending early = ending;
        List<TaskGraph> open = graphs.close();
        return early == null || early.graph == null || told.get() || open.contains(early.graph)
                ? open
                : Stream.concat(open.stream(), Stream.of(early.graph)).toList();
    }

    /** Returns the tasks, in checking mode, that were begun, neither submitted nor refused, and probably forgotten. */
    public List<String> unfinished() {
        return unfinished.texts();
    }

    /** Adds {@code graph}, which stays known as long as it is reachable from elsewhere. */
    void register(TaskGraph graph, GraphReference reference) {
        synchronized (graphs) {
            if (!graphs.add(reference, dispatcher.isInsideNode())) {
                throw new IllegalStateException((makesRuns
                                ? "a run of a compiled graph was started"
                                : "graph \"" + graph.name() + "\" was made")
                        + " after its session was closed: do that before");
            }
        }
        if (ending != null) { // volatile, and set before the thread that cancels reads the list
            graph.cancel();
        }
    }

    /** Returns the graph of the tasks that stand for runs of compiled graphs. */
    TaskGraph runs() {
        TaskGraph known = runs;
        if (known == null) {
            synchronized (graphs) {
                known = runs;
                if (known == null) {
                    makesRuns = true;
                    try {
                        known = new TaskGraph("compiled runs", this, FailurePolicy.CONTINUE);
                    } finally {
                        makesRuns = false;
                    }
                    runs = known;
                }
            }
        }
        return known;
    }

    /** Keeps {@code graph}, which has something to report. */
    void remember(TaskGraph graph) {
        graphs.remember(graph);
    }

    /** Forgets {@code graph}, which has nothing to report any more. */
    void forget(TaskGraph graph) {
        graphs.forget(graph);
    }

    boolean isClosed() {
        return closed;
    }

    boolean keepsGraphs() {
        return options.keepsGraphs();
    }

    /** Returns the present states of the tasks of all graphs, and the reasons for their waits. Any thread. */
    public RunSnapshot snapshot() {
        return snapshot(null);
    }

    /** Returns a snapshot of all graphs, or of one. Any thread. */
    RunSnapshot snapshot(@Nullable TaskGraph only) {
        return SnapshotCollector.of(this, only);
    }

    /**
     * Explains to {@code told} why nothing has moved for {@code time}, if there are tasks, or runs of other fronts,
     * that wait. Completes the work that threads with full stacks left out.
     *
     * @return true if there are any that wait
     */
    public boolean explainStall(Duration time, Consumer<? super String> told) {
        return Stall.explain(this, time, told);
    }

    /** Returns the runs of other fronts that use the owner's workers. */
    public OpenRuns openRuns() {
        return openRuns;
    }

    /** Warns the user, on a background thread, of a problem that no exception reports. Any thread. */
    void warn(String text) {
        dispatcher.background(() -> options.warnings().accept(text));
    }

    /** Returns the graphs that may have tasks. */
    List<TaskGraph> graphs() {
        return graphs.all();
    }

    /** Returns the checking mode; null if bodies are not checked. */
    @Nullable
    Checking checking() {
        return options.checking();
    }

    /** Returns the staging, which brings data to where tasks run; null if there is no data but the host's. */
    @Nullable
    Staging stagingOrNull() {
        return options.staging();
    }

    /** Returns the staging, which brings data to where tasks run. */
    Staging staging() {
        Staging its = options.staging();
        if (its == null) {
            throw new IllegalStateException("this session has no staging that brings data to where tasks run");
        }
        return its;
    }

    /** Returns the accesses of code outside of tasks. */
    public UserViews views() {
        return views;
    }

    /** Waits for drivers' functions; {@code last} if no work of a device is left: unfinished tasks never end then. */
    public void awaitFunctions(boolean last) {
        functions.awaitNone();
        if (last) {
            abandonment.end();
        }
    }

    /** Throws if the calling thread is in a listener, outside of workers, and so must not wait for {@code what}. */
    public void requireOutsideListeners(String what) {
        StateObserver.requireNotTelling(watch, what);
    }

    /** Returns true if the calling thread runs a function that a driver was given for a live task. */
    public boolean isInsideFunction() {
        return DrivenFunction.ownTask(task -> task.scope().domain == this) != null;
    }

    /**
     * Throws if the calling thread is in a listener, or runs a function that a driver was given for a task, and
     * {@code access} to {@code resource}, for {@code what}, would wait for that task.
     *
     * @throws IllegalStateException which names the task
     */
    public void requireMayAwait(String what, Resource resource, Access access) {
        requireOutsideListeners(what);
        DrivenFunction.requireNoneInTheWay(what, null, AccessList.of(resource, access));
    }

    /** Returns the body to run for {@code body}: in checking mode one that checks it. */
    TaskBody checked(TaskBody body) {
        Checking checking = options.checking();
        return checking == null ? body : new CheckedBody(checking, body);
    }

    /**
     * Returns the body to run for that of a compiled graph's task: in checking mode one that checks it.
     *
     * @param accesses the accesses that the task declares
     * @param staged true if the task has the memory of its data
     */
    public KernelBody checked(KernelBody body, AccessList accesses, boolean staged) {
        Checking checking = options.checking();
        return checking == null ? body : CheckedBody.frozen(this, checking, body, accesses, staged);
    }

    /**
     * Returns the guard of the owner's handles in checking mode, which refuses bodies that have not declared an access;
     * null outside of checking mode.
     */
    public Handle.@Nullable Guard guard() {
        return options.checking() == null
                ? null
                : handle -> {
                    WatchedTask task = CheckedBody.current();
                    if (task != null && task.domain() == this) {
                        task.requireMayTouch(handle);
                    }
                };
    }

    /**
     * Notes that the calling thread made {@code resource} for the owner: inside a task if the thread runs the body of
     * one. Returns the resource.
     */
    public <R extends Resource> R made(R resource) {
        if (resource.parent() == null && dispatcher.current() instanceof TaskNode task && task.scope().domain == this) {
            resource.origin(new Origin(task));
        }
        return resource;
    }

    /**
     * Ends the run: cancels all graphs, including those still to be made, and lets their awaits report the cause.
     *
     * @param graph the graph that reports the cause at the latest when the session closes; null for none
     */
    void end(@Nullable TaskGraph graph, String what, Throwable why) {
        epochs.troubled();
        List<TaskGraph> all;
        synchronized (graphs) {
            if (ending == null) {
                ending = new Ending(what, why, graph);
            }
            all = graphs.all();
        }
        all.forEach(TaskGraph::cancel);
    }

    /**
     * Returns the exception that a wait throws after the run was ended; null if it was not.
     *
     * @param cancelled says that the awaited task or graph was cancelled
     */
    @Nullable
    RunEndedException ended(Supplier<String> cancelled) {
        Ending known = ending;
        return known == null
                ? null
                : new RunEndedException(
                        "the run ended because " + known.what + ": " + UserText.of(known.why) + "\n  "
                                + cancelled.get(),
                        known.why,
                        !told.compareAndSet(false, true));
    }

    /** Returns the observer of the tasks of compiled graphs; null if there is no listener. */
    public @Nullable CompiledWatch compiledWatch() {
        StateObserver its = watch;
        return its == null || !its.hasListeners() ? null : its;
    }

    private record Ending(
            String what, Throwable why, @Nullable TaskGraph graph) {}

    /**
     * The options of the graphs of a session.
     *
     * @param keepsGraphs true if each graph keeps a log of all its tasks and edges
     * @param listeners the listeners, called at every change of a task's state
     * @param checking the mode that detects accesses which tasks did not declare; null for none
     * @param staging the staging, which brings data to where tasks run; null if there is no data but the host's
     * @param warnings the receiver of warnings of tasks that do not end though they were asked to; called on background
     *     threads
     */
    public record Options(
            boolean keepsGraphs,
            List<TaskListener> listeners,
            @Nullable Checking checking,
            @Nullable Staging staging,
            Consumer<? super String> warnings) {
        /** Options without listeners and logs of graphs; warnings go to the system's logger. */
        public static final Options NONE = new Options(
                false,
                List.of(),
                null,
                null,
                text -> System.getLogger(TaskGraph.class.getName()).log(Level.WARNING, text));

        public Options {
            listeners = List.copyOf(listeners);
        }
    }

    /** An observer of the states of a compiled graph's tasks. Called by the worker that makes the change. */
    public interface CompiledWatch {
        /**
         * Notifies the session's listeners.
         *
         * @return false if a listener threw, now or before, which ends the run
         */
        boolean changed(String graph, String task, TaskState state, int worker);

        /** Returns true if a listener threw. */
        boolean hasEnded();
    }
}
