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
 * What all graphs of a session share, since the accesses of their tasks meet in the same resources: the lock that
 * orders submissions, and who holds what of the unordered resources.
 *
 * <p>One lock for all resources, and not one for each: a submission holds it for some hundred nanoseconds, needs one
 * compare-and-set however many resources a task has, and no order of locks. Tasks inside a refined task have a lock of
 * their own.
 *
 * <p>Threads: any.
 */
public final class DependencyDomain {
    /** More are not looked at after each wait. */
    private static final int FEW_GRAPHS = 64;

    final Object owner;
    final Dispatcher dispatcher;
    /** Guards the trackers of the owner's resources, and what graphs know of their submissions. */
    final SpinLock lock = new SpinLock();
    /** Of tasks that are in no other task. */
    final Exclusions<TaskNode, Outcome> exclusions = new Exclusions<>();

    private final KnownGraphs<TaskGraph> graphs = new KnownGraphs<>();

    private final DomainOptions options;
    /** Null when nobody wants to know of changes of state. */
    final @Nullable StateObserver watch;

    private final UserViews views = new UserViews();
    /** In checking mode: tasks that were begun and not submitted, and where. Guarded by itself. */
    private final IdentityHashMap<TaskBuilder, String> unfinished = new IdentityHashMap<>();

    final LaunchAhead.Queues aheads = new LaunchAhead.Queues();
    private final OpenRuns openRuns = new OpenRuns();
    private final AtomicLong ids = new AtomicLong();
    /** What ended the run before its time. Guarded by {@link #graphs} for writing; never changes once it is set. */
    private volatile @Nullable Ending ending;
    /** Whether an await has thrown that. */
    private final AtomicBoolean told = new AtomicBoolean();

    /** Guarded by {@link #lock}. */
    private int epoch;
    /** Guarded by {@link #lock}: the graph that something was last submitted to since all were over. */
    private @Nullable TaskGraph busy;
    /** Guarded by {@link #lock}: whether something was submitted to others since. */
    private boolean several;
    /**
     * A task beside which nothing was live when it was submitted, and which trackers know nothing of: it need not meet
     * them unless something is submitted, or it gives up rights, before it is over. Guarded by {@link #lock}.
     */
    private @Nullable TaskNode latent;

    /**
     * The error that broke off a submission half way, so that what the trackers say cannot be trusted and tasks may
     * wait for ever. Written by the thread to which that happened, whose stack may be full: so it is a field, and
     * others see to the rest. Never unset.
     */
    volatile @Nullable Throwable brokenBy;

    /** Names a submission that broke off, as far as its thread could still say so; one of several. */
    private volatile @Nullable String brokenWhat;

    /** True once that was told. */
    private final AtomicBoolean brokenTold = new AtomicBoolean();

    /**
     * True once a task has waited for the first member of a tag, so that edges may lead to later tasks. Written under
     * the lock of its scope. Never unset.
     */
    volatile boolean awaitsTags;

    /** Set while the policy is told of a task by the same thread. */
    private final ThreadLocal<String> advising = new ThreadLocal<>();

    /**
     * The run of a compiled graph beside which nothing was live so far, and that no task stands for. Guarded by
     * {@link #lock}.
     */
    private @Nullable RunOrder alone;
    /** The tasks that stand for runs of compiled graphs; null before the first run. Written under {@link #graphs}. */
    private volatile @Nullable TaskGraph runs;
    /** That graph is being made: a task may start the first run while the session is closed. Guarded by the graphs. */
    private boolean makesRuns;

    /** Whether a task ever ended otherwise than well: its data may be poisoned. Never unset. */
    private volatile boolean troubled;

    /** Set once, when the owner is about to close. */
    private volatile boolean closed;

    /**
     * A domain.
     *
     * @param owner the session whose resources the tasks may access
     * @param dispatcher where ready tasks go
     */
    public DependencyDomain(Object owner, Dispatcher dispatcher) {
        this(owner, dispatcher, DomainOptions.NONE);
    }

    /**
     * A domain.
     *
     * @param owner the session whose resources the tasks may access
     * @param dispatcher where ready tasks go
     * @param options how its graphs behave and are watched
     */
    public DependencyDomain(Object owner, Dispatcher dispatcher, DomainOptions options) {
        this.owner = owner;
        this.dispatcher = dispatcher;
        this.options = options;
        this.watch = StateObserver.of(this, options.listeners(), dispatcher.trace());
    }

    /**
     * From now on no graph can be made, and nothing be submitted but by tasks that are not over yet.
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

    /** The task is submitted, or refused. */
    @SuppressWarnings("CollectionIncompatibleType") // the map goes by identity
    void ended(TaskBuilder task) {
        if (checking() != null) {
            synchronized (unfinished) {
                unfinished.remove(task);
            }
        }
    }

    /**
     * In checking mode, tasks that were begun and neither submitted nor refused at their submission, and where that
     * was: the program has probably forgotten them.
     */
    public List<String> unfinished() {
        synchronized (unfinished) {
            return unfinished.entrySet().stream()
                    .map(one -> one.getKey() + ", begun at " + one.getValue())
                    .sorted()
                    .toList();
        }
    }

    /** Knows {@code graph} from now on, as long as that is reachable otherwise. */
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
        if (ending != null) { // volatile, and set before those who cancel look into the list
            graph.cancel();
        }
        return reference;
    }

    /** For trackers. Under {@link #lock}. */
    int epoch() {
        return epoch;
    }

    /** Something is submitted to {@code graph}. Under {@link #lock}. */
    void submits(TaskGraph graph) {
        if (busy != graph) {
            several |= busy != null && !busy.isOver(); // graphs that are used one after the other are as good as one
            busy = graph;
        }
    }

    /**
     * All that was submitted to {@code graph} is over: if nothing was to any other, that is all there is. Under
     * {@link #lock}.
     *
     * @return whether nothing is live, and nothing that is over matters
     */
    boolean settled(TaskGraph graph) {
        boolean quiet = busy == graph && !several && !troubled && !options.keepsGraphs();
        if (quiet) {
            epoch++;
            latent = null;
        }
        return quiet;
    }

    /** The graph of the tasks that stand for runs of compiled graphs. */
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

    /** Lets a run start without a task when nothing is live beside it. Under {@link #lock}. */
    boolean beginsAlone(RunOrder run) {
        boolean first = alone == null && watch == null && allOver();
        if (first) {
            alone = run;
        }
        return first;
    }

    /** The run is over. Under {@link #lock}. */
    void runOver(RunOrder run) {
        if (alone == run) {
            alone = null;
        }
    }

    /** Something is about to be submitted: what runs alone is not alone any more. Under {@link #lock}. */
    void meetRun() {
        RunOrder run = alone;
        if (run != null) {
            alone = null;
            run.standIn();
        }
    }

    /** Trackers need not know of {@code task} yet. Under {@link #lock}. */
    void leaveLatent(TaskNode task) {
        latent = task;
    }

    /** Lets trackers know of the latent task, unless it is over. Under {@link #lock}. */
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
        } catch (Throwable e) { // the accesses are ours: memory or the stack is full
            brokenBy = e;
            throw e;
        }
    }

    /**
     * Trackers are to know of {@code task} from now on. By its worker, while it has its accesses; without
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
     * A graph is over. When all are, and nothing has ever failed, what trackers know is of no interest any more: a new
     * epoch begins, so that the next submissions need not look at tasks that are long over.
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

    /** Under {@link #lock}: nothing is being submitted. */
    private boolean allOver() {
        return graphs.areAll(TaskGraph::isOver, FEW_GRAPHS) && !troubled; // written before such a task counts as ended
    }

    /** {@code graph} has something to report. */
    void remember(TaskGraph graph) {
        troubled = true;
        graphs.remember(graph);
    }

    /** {@code graph} is about to report what it has. */
    void forget(TaskGraph graph) {
        graphs.forget(graph);
    }

    boolean isClosed() {
        return closed;
    }

    // ---- a submission that broke off

    /**
     * Ends the run, since {@code what} broke off half way: those who wait are told, and nothing more starts. When even
     * that fails, for want of stack or memory, the next wait or submission does it.
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

    /** True if a submission broke off half way. */
    boolean isBroken() {
        return brokenBy != null;
    }

    /** Throws when a submission broke off half way. Under {@link #lock} too. */
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

    /** Throws when the calling thread is inside {@link #advise}: the policy would be told without end. */
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

    /** What the tasks of all graphs do right now, and what they wait for. Any thread. */
    public RunSnapshot snapshot() {
        return SnapshotCollector.of(this, null);
    }

    /**
     * Nothing has moved for {@code time}: explains it to {@code told} when there are tasks, or runs of other fronts,
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

    /** The runs of other fronts that use the owner's workers. */
    public OpenRuns openRuns() {
        return openRuns;
    }

    /** Something does not go well, and no exception tells it. Any thread; the user is told on a thread of its own. */
    void warn(String text) {
        dispatcher.background(() -> options.warnings().accept(text));
    }

    /** Those graphs that may have tasks. */
    List<TaskGraph> graphs() {
        return graphs.all();
    }

    /** Null outside of checking mode. */
    @Nullable
    Checking checking() {
        return options.checking();
    }

    /** Whether data can be brought to where tasks run. */
    boolean hasStaging() {
        return options.staging() != null;
    }

    /** Who does that. */
    Staging staging() {
        Staging its = options.staging();
        if (its == null) {
            throw new IllegalStateException("this session has nobody who brings data to where tasks run");
        }
        return its;
    }

    /** What code outside of tasks has access to. */
    public UserViews views() {
        return views;
    }

    /** Returns true when the calling thread runs a function that a driver was given for a live task. */
    public boolean isInsideFunction() {
        return DrivenFunction.isRunFor(this);
    }

    /**
     * Throws when the calling thread runs a function that a driver was given for a task, and {@code access} to
     * {@code resource}, for {@code what}, would wait for that task.
     *
     * @throws IllegalStateException which names the task
     */
    public void requireMayAwait(String what, Resource resource, Access access) {
        DrivenFunction.requireNoneInTheWay(what, null, AccessList.of(resource, access));
    }

    /** What runs for {@code body}. */
    TaskBody checked(TaskBody body) {
        Checking checking = options.checking();
        return checking == null ? body : new CheckedBody(checking, body);
    }

    /**
     * What the owner's handles are to ask in checking mode: refuses bodies that have not declared an access. Null
     * outside of it.
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
     * {@code resource} was made by the calling thread, for the owner: inside a task when that thread runs the body of
     * one.
     */
    public <R extends Resource> R made(R resource) {
        if (resource.parent() == null && dispatcher.current() instanceof TaskNode task && task.scope().domain == this) {
            resource.origin(new Origin(task));
        }
        return resource;
    }

    /** A number for a task. */
    long nextId() {
        return ids.getAndIncrement();
    }

    /**
     * Ends the run: cancels all graphs, those still to be made as well, and lets their awaits say why.
     *
     * @param graph one that is to report it at the latest when the session closes; null for none
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

    /** What an await of {@code graph} has to say when something ended the run; null when nothing did. */
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

    /** The watch that hears of changes of tasks of compiled graphs; null when no listener wants to know. */
    public @Nullable CompiledWatch compiledWatch() {
        StateObserver its = watch;
        return its == null || !its.hasListeners() ? null : its::changed;
    }

    private record Ending(String what, Throwable why) {}
}
