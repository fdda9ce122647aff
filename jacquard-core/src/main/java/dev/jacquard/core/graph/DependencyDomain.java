package dev.jacquard.core.graph;

import dev.jacquard.base.concurrent.SpinLock;
import dev.jacquard.core.depend.Exclusions;
import dev.jacquard.core.execution.KnownGraphs;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Edges;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.HandleGuard;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.residency.Staging;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
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
    /** The largest number of graphs that is looked at after each wait. */
    private static final int FEW_GRAPHS = 64;

    final Object owner;
    final Dispatcher dispatcher;
    /** Guards the trackers of the owner's resources, and the graphs' records of their submissions. */
    final SpinLock lock = new SpinLock();
    /** The exclusions among tasks that are inside no other task. */
    final Exclusions<TaskNode, Outcome> exclusions = new Exclusions<>();

    private final KnownGraphs<TaskGraph> graphs = new KnownGraphs<>();

    private final DomainOptions options;
    /** The observer of changes of state; null for none. */
    final @Nullable StateObserver watch;

    private final UserViews views = new UserViews();
    /** In checking mode: the tasks that were begun and not submitted, with the place of the call. Guarded by itself. */
    private final IdentityHashMap<TaskBuilder, String> unfinished = new IdentityHashMap<>();

    final LaunchAhead.Queues aheads = new LaunchAhead.Queues();
    private final OpenRuns openRuns = new OpenRuns();
    private final AtomicLong ids = new AtomicLong();
    /**
     * The early end of the run; null for none. Guarded by {@link #graphs} for writing; never changes once it is set.
     */
    private volatile @Nullable Ending ending;
    /** True once an await has reported {@link #ending}. */
    private final AtomicBoolean told = new AtomicBoolean();

    /** The number of the epoch. Guarded by {@link #lock}. */
    private int epoch;
    /** The graph of the last submission since all graphs were over; null for none. Guarded by {@link #lock}. */
    private @Nullable TaskGraph busy;
    /** True if tasks were submitted to several graphs since then. Guarded by {@link #lock}. */
    private boolean several;
    /**
     * A task whose registration with the trackers is deferred, since nothing else was live when it was submitted. The
     * task is registered only if something is submitted, or the task gives up rights, before it is over. Guarded by
     * {@link #lock}.
     */
    private @Nullable TaskNode latent;

    /**
     * The error that broke off a submission half way: the trackers cannot be trusted any more, and tasks may wait for
     * ever. Written by the thread of that submission, whose stack may be full: so it only sets this field, and other
     * threads do the rest. Never unset.
     */
    volatile @Nullable Throwable brokenBy;

    /** The name of a submission that broke off, if its thread could still set it; one of several. */
    private volatile @Nullable String brokenWhat;

    /** True once the broken submission was reported. */
    private final AtomicBoolean brokenTold = new AtomicBoolean();

    /**
     * True once a task has waited for the first member of a tag, so that edges may lead to later tasks. Written under
     * the lock of its scope. Never unset.
     */
    volatile boolean awaitsTags;

    /** The name of the task of which the same thread tells the policy; null outside of {@link #advise}. */
    private final ThreadLocal<String> advising = new ThreadLocal<>();

    /**
     * The run of a compiled graph that has run alone so far, so that no task stands for it; null for none. Guarded by
     * {@link #lock}.
     */
    private @Nullable RunOrder alone;
    /** The tasks that stand for runs of compiled graphs; null before the first run. Written under {@link #graphs}. */
    private volatile @Nullable TaskGraph runs;
    /** True while {@link #runs} is made, which a task may do in a closed session. Guarded by {@link #graphs}. */
    private boolean makesRuns;

    /** True once a task has not ended well: its data may be poisoned. Never unset. */
    private volatile boolean troubled;

    /** Set once, when the owner is about to close. */
    private volatile boolean closed;

    /**
     * Creates a domain.
     *
     * @param owner the session whose resources the tasks may access
     * @param dispatcher where ready tasks go
     */
    public DependencyDomain(Object owner, Dispatcher dispatcher) {
        this(owner, dispatcher, DomainOptions.NONE);
    }

    /**
     * Creates a domain.
     *
     * @param owner the session whose resources the tasks may access
     * @param dispatcher where ready tasks go
     * @param options the options of its graphs
     */
    public DependencyDomain(Object owner, Dispatcher dispatcher, DomainOptions options) {
        this.owner = owner;
        this.dispatcher = dispatcher;
        this.options = options;
        this.watch = StateObserver.of(this, options.listeners(), dispatcher.trace());
    }

    /**
     * Closes the domain: no graph can be made any more, and only tasks that are not over can submit.
     *
     * @return the graphs that may have tasks to wait for, or failures to report
     */
    public List<TaskGraph> close() {
        closed = true;
        return graphs.close();
    }

    /** In checking mode, remembers a task that is to be submitted. */
    void begun(TaskBuilder task) {
        if (checking() != null) {
            String site = Checking.callSite();
            synchronized (unfinished) {
                unfinished.put(task, site);
            }
        }
    }

    /** Forgets a task that was submitted, or refused. */
    @SuppressWarnings("CollectionIncompatibleType") // the map goes by identity
    void ended(TaskBuilder task) {
        if (checking() != null) {
            synchronized (unfinished) {
                unfinished.remove(task);
            }
        }
    }

    /**
     * Returns, in checking mode, the tasks that were begun and neither submitted nor refused, with the place of the
     * call: the program has probably forgotten to submit them.
     */
    public List<String> unfinished() {
        synchronized (unfinished) {
            return unfinished.entrySet().stream()
                    .map(one -> one.getKey() + ", begun at " + one.getValue())
                    .sorted()
                    .toList();
        }
    }

    /** Adds {@code graph}, which stays known as long as it is reachable from elsewhere. */
    GraphReference register(TaskGraph graph) {
        GraphReference reference = new GraphReference(graph);
        synchronized (graphs) {
            if (!graphs.add(reference, makesRuns && dispatcher.isInsideNode())) {
                throw new IllegalStateException((makesRuns
                                ? "a run of a compiled graph was started"
                                : "graph \"" + graph.name() + "\" was made")
                        + " after its session was closed");
            }
        }
        if (ending != null) { // volatile, and set before the thread that cancels reads the list
            graph.cancel();
        }
        return reference;
    }

    /** Returns the epoch, for trackers. Under {@link #lock}. */
    int epoch() {
        return epoch;
    }

    /** Notes a submission to {@code graph}. Under {@link #lock}. */
    void submits(TaskGraph graph) {
        if (busy != graph) {
            several |= busy != null && !busy.isOver(); // graphs that are used one after the other are as good as one
            busy = graph;
        }
    }

    /**
     * Begins a new epoch if {@code graph}, whose tasks are all over, is the only graph with submissions. Under
     * {@link #lock}.
     *
     * @return true if nothing is live, and no task that is over matters
     */
    boolean settled(TaskGraph graph) {
        boolean quiet = busy == graph && !several && !troubled && !options.keepsGraphs();
        if (quiet) {
            epoch++;
            latent = null;
        }
        return quiet;
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

    /** Lets a run start without a task if nothing else is live; returns true if it may. Under {@link #lock}. */
    boolean beginsAlone(RunOrder run) {
        boolean first = alone == null && watch == null && allOver();
        if (first) {
            alone = run;
        }
        return first;
    }

    /** Notes that {@code run} is over. Under {@link #lock}. */
    void runOver(RunOrder run) {
        if (alone == run) {
            alone = null;
        }
    }

    /** Makes a task for the run that is alone so far, since something is about to be submitted. Under {@link #lock}. */
    void meetRun() {
        RunOrder run = alone;
        if (run != null) {
            alone = null;
            run.standIn();
        }
    }

    /** Defers the registration of {@code task} with the trackers. Under {@link #lock}. */
    void leaveLatent(TaskNode task) {
        latent = task;
    }

    /** Registers the deferred task with the trackers, unless it is over. Under {@link #lock}. */
    void meetLatent() {
        TaskNode task = latent;
        if (task == null) {
            return;
        }
        latent = null;
        try {
            while (!task.meetTrackers() && !task.isOver()) {
                Thread.onSpinWait(); // its worker is between two statements of its end
            }
        } catch (Throwable e) { // the accesses are built-in ones: memory or the stack is full
            brokenBy = e;
            throw e;
        }
    }

    /**
     * Registers {@code task} with the trackers if that is deferred. By its worker, while it has its accesses; without
     * {@link #lock}.
     */
    void keepLatent(TaskNode task) {
        lock.lock();
        try {
            if (latent == task) {
                meetLatent();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Begins a new epoch if all graphs are over and no task has ever failed: the trackers' entries do not matter any
     * more, and the next submissions need not look at tasks that are over. Called when a graph is over.
     */
    void settle() {
        if (troubled || options.keepsGraphs()) {
            return;
        }
        lock.lock();
        try {
            if (allOver()) {
                epoch++;
                latent = null;
                busy = null;
                several = false;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns true if all graphs are over and no task failed. Under {@link #lock}: nothing is being submitted. */
    private boolean allOver() {
        return graphs.areAll(TaskGraph::isOver, FEW_GRAPHS) && !troubled; // written before such a task counts as ended
    }

    /** Keeps {@code graph}, which has something to report. */
    void remember(TaskGraph graph) {
        troubled = true;
        graphs.remember(graph);
    }

    /** Forgets {@code graph}, which is about to report. */
    void forget(TaskGraph graph) {
        graphs.forget(graph);
    }

    boolean isClosed() {
        return closed;
    }

    // ---- a submission that broke off

    /**
     * Ends the run, since {@code what} broke off half way: waiting threads are told, and nothing more starts. If even
     * this fails, for want of stack or memory, the next wait or submission does it.
     */
    void breakOff(String what) {
        Throwable why = brokenBy;
        brokenWhat = brokenWhat == null ? what : brokenWhat;
        if (why != null && brokenTold.compareAndSet(false, true)) {
            boolean said = false;
            try {
                dispatcher.fail(new RunEndedException(
                        what + " broke off half way, and what there is of it cannot be taken back: " + why,
                        why,
                        false));
                said = true;
                graphs().forEach(TaskGraph::cancel);
            } finally {
                if (!said) {
                    brokenTold.set(false);
                }
            }
        }
    }

    /** Returns true if a submission broke off half way. */
    boolean isBroken() {
        return brokenBy != null;
    }

    /** Throws if a submission broke off half way. With or without {@link #lock}. */
    void requireWhole() {
        Throwable why = brokenBy;
        if (why != null) {
            String what = brokenWhat;
            throw new IllegalStateException(
                    "the run has ended, since " + (what == null ? "a submission" : what) + " broke off half way: "
                            + why,
                    why);
        }
    }

    // ---- a policy that is told of tasks

    /** Tells the policy of {@code task}. */
    void advise(TaskNode task, Edges edges) {
        advising.set(task.name());
        try {
            dispatcher.submitted(task, edges);
        } finally {
            advising.remove();
        }
    }

    /** Throws if the calling thread is inside {@link #advise}: the policy would be told without end. */
    void requireNotAdvising(String task) {
        String told = advising.get();
        if (told != null) {
            throw new IllegalStateException(
                    "task \"" + task + "\" was submitted by the scheduling policy, while that was told of task \""
                            + told + "\": a policy adds edges, and submits nothing");
        }
    }

    boolean keepsGraphs() {
        return options.keepsGraphs();
    }

    /** Returns the present states of the tasks of all graphs, and what the tasks wait for. Any thread. */
    public RunSnapshot snapshot() {
        return SnapshotCollector.of(this, null);
    }

    /**
     * Explains to {@code told} why nothing has moved for {@code time}, if there are tasks, or runs of other fronts,
     * that wait.
     *
     * @return true if there are
     */
    public boolean explainStall(Duration time, Consumer<? super String> told) {
        boolean streams = openRuns.isAnyStuck();
        if (!streams && graphs().stream().allMatch(TaskGraph::isOver)) {
            return false;
        }
        RunSnapshot snapshot = snapshot();
        if (!streams && !Stall.hasWaiting(snapshot)) {
            return false; // a body that takes long
        }
        told.accept(Stall.explain(snapshot, time));
        return true;
    }

    /** Returns the runs of other fronts that use the owner's workers. */
    public OpenRuns openRuns() {
        return openRuns;
    }

    /** Warns the user, on a thread of its own, of a problem that no exception reports. Any thread. */
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

    /** Returns true if data can be brought to where tasks run. */
    boolean hasStaging() {
        return options.staging() != null;
    }

    /** Returns the staging, which brings data to where tasks run. */
    Staging staging() {
        Staging its = options.staging();
        if (its == null) {
            throw new IllegalStateException("this session has nobody who brings data to where tasks run");
        }
        return its;
    }

    /** Returns the accesses of code outside of tasks. */
    public UserViews views() {
        return views;
    }

    /** Returns true if the calling thread runs a function that a driver was given for a live task. */
    public boolean isInsideFunction() {
        return DrivenFunction.isRunFor(this);
    }

    /**
     * Throws if the calling thread runs a function that a driver was given for a task, and {@code access} to
     * {@code resource}, for {@code what}, would wait for that task.
     *
     * @throws IllegalStateException which names the task
     */
    public void requireMayAwait(String what, Resource resource, Access access) {
        DrivenFunction.requireNoneInTheWay(what, null, AccessList.of(resource, access));
    }

    /** Returns the body to run for {@code body}: in checking mode one that checks it. */
    TaskBody checked(TaskBody body) {
        Checking checking = options.checking();
        return checking == null ? body : new CheckedBody(checking, body);
    }

    /**
     * Returns the guard of the owner's handles in checking mode, which refuses bodies that have not declared an access;
     * null outside of checking mode.
     */
    public @Nullable HandleGuard guard() {
        return options.checking() == null
                ? null
                : handle -> {
                    TaskNode task = CheckedBody.current(this);
                    if (task != null) {
                        CheckedBody.requireMayTouch(task, handle);
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

    /** Returns the number for a new task. */
    long nextId() {
        return ids.getAndIncrement();
    }

    /**
     * Ends the run: cancels all graphs, including those still to be made, and lets their awaits report the cause.
     *
     * @param graph the graph that reports the cause at the latest when the session closes; null for none
     */
    void end(@Nullable TaskGraph graph, String what, Throwable why) {
        if (graph != null) {
            remember(graph);
        }
        List<TaskGraph> all;
        synchronized (graphs) {
            if (ending == null) {
                ending = new Ending(what, why);
            }
            all = graphs.all();
        }
        all.forEach(TaskGraph::cancel);
    }

    /** Returns the exception that an await of {@code graph} throws after the run was ended; null if it was not. */
    @Nullable
    RunEndedException ended(TaskGraph graph) {
        Ending known = ending;
        return known == null
                ? null
                : new RunEndedException(
                        "the run ended because " + known.what + ": " + known.why + "\n  graph \"" + graph.name()
                                + "\" was cancelled: " + graph.report(),
                        known.why,
                        !told.compareAndSet(false, true));
    }

    /** Returns the observer of the tasks of compiled graphs; null if there is no listener. */
    public @Nullable CompiledWatch compiledWatch() {
        StateObserver its = watch;
        return its == null || !its.hasListeners() ? null : its::changed;
    }

    private record Ending(String what, Throwable why) {}
}
