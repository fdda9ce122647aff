package dev.jacquard.core.graph;

import dev.jacquard.base.machine.Target;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Wait;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Resource;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An append-only graph that grows while it runs. Code order is access order: a task waits for the earlier tasks whose
 * accesses conflict with its own, and for nothing else.
 *
 * <pre>{@code
 * Handle<double[]> x = session.wrap("x", new double[1_000_000]);
 * TaskGraph graph = session.graph();
 * graph.task("fill").writes(x).run(ctx -> Arrays.fill(ctx.get(x), 1.0));
 * Task<Double> sum = graph.task("sum").reads(x).call(ctx -> Arrays.stream(ctx.get(x)).sum());
 * System.out.println(sum.join());
 * }</pre>
 *
 * <p>A failing task poisons what it was to write: tasks that read it are cancelled and name the cause; one that
 * overwrites it whole clears it.
 *
 * <p>Threads: any may submit, from inside tasks too; the tasks that one thread submits keep its order, and submissions
 * of several happen one after the other. Everything else may be called by any thread as well.
 *
 * <p>Source: the resource-register document, sections 2 and 3.
 */
public final class TaskGraph implements Tasks {
    private static final int KEPT_TAGS = 16;
    private static final int SWEEP = 64;
    /** Without a window: with more live tasks a submitting worker runs ready ones itself. */
    static final int MANY_LIVE = 100_000;
    /** How many submissions lie between two looks at that, a power of two: then the looks cost nothing. */
    static final int LOOK_SELDOM = 1024;
    /** So many ready tasks per worker keep all busy while the submitter runs one. */
    private static final int ENOUGH = 16;

    private final String name;
    private final DependencyDomain domain;
    private final Dispatcher dispatcher;
    private final FailurePolicy policy;
    private final TaskCounters tally;
    private final GraphScope scope;
    /** The reference by which the domain and timers know it. */
    private final GraphReference self;
    /** Sub-tasks, by how they ended. */
    private final TaskCounters inner;
    /** Sub-tasks, which have many submitters. */
    private final AtomicLong innerSubmitted = new AtomicLong();

    private final @Nullable GraphLog log;

    /**
     * One resource per tag: members write it side by side, and those after them read it. Weak, since loops make new
     * tags: members that are not over hold it. Guarded by itself.
     */
    private final Map<String, Reference<Resource>> tags = new HashMap<>();
    /**
     * Those that must stay though no member is live: one has failed, or the graph's past is kept. Guarded by
     * {@link #tags}.
     */
    private final Set<Resource> keptTags = new HashSet<>();
    /** At how many tags to look for those that are gone. Guarded by {@link #tags}. */
    private int sweepTagsAt = SWEEP;

    /** Tasks that wait for the first member of a tag. The thread that takes one out goes on with it. */
    private final Set<Tags.Awaited> awaitedTags = ConcurrentHashMap.newKeySet();
    /** The first tags that tasks were to come after and that had no members. Guarded by itself. */
    private final Set<String> tagsWithoutMembers = new LinkedHashSet<>();

    /** What runs and can be interrupted. */
    private final Set<Attempt> attempts = ConcurrentHashMap.newKeySet();
    /** Asynchronous tasks whose stage is not complete. */
    private final Set<TaskNode> suspended = ConcurrentHashMap.newKeySet();

    /** What {@link #hasAccesses} makes of it. A guess: written by submitters without an order, and seldom. */
    private int accessHint = 4;

    private volatile boolean cancelled;
    /** Why it was cancelled, when nobody called {@link #cancel}. Written before {@link #cancelled}. */
    private @Nullable String lateBy;
    /** How many tasks may be live; 0 when any number. */
    private volatile int window;
    /**
     * How many submissions lie between two looks at how many are live, a power of two. Written before {@link #window}.
     */
    private int lookEvery = LOOK_SELDOM;
    /**
     * How many ready tasks are to wait for other workers before the submitter runs one itself. Written before
     * {@link #window}.
     */
    private int enough;
    /** The failures that no await has told yet. */
    private final Failures failures;
    /** An await has told that the deadline passed. */
    private final AtomicBoolean deadlineTold = new AtomicBoolean();

    /**
     * For sessions, which hand graphs out.
     *
     * @param name for messages
     * @param domain what it shares with the session's other graphs
     * @param policy what a failure does to the rest
     */
    public TaskGraph(String name, DependencyDomain domain, FailurePolicy policy) {
        this.name = name;
        this.domain = domain;
        this.dispatcher = domain.dispatcher;
        this.policy = policy;
        this.failures = new Failures(name);
        this.tally = new TaskCounters(dispatcher.workers());
        this.inner = new TaskCounters(dispatcher.workers());
        this.log = domain.keepsGraphs() ? new GraphLog(name) : null;
        this.scope = new GraphScope(this, domain, tally);
        this.self = domain.register(this);
    }

    @Override
    public TaskBuilder task(String task) {
        Objects.requireNonNull(task, "task");
        return new TaskBuilder(scope, task);
    }

    /** Tasks of this graph that belong together, and somebody who goes on when all of them are over. */
    public TaskGroup group() {
        return group(null, (from, to) -> {});
    }

    /**
     * Likewise, with a device.
     *
     * @param device where the group's kernels are to run; null for anywhere
     * @param watcher told what the tasks are at
     */
    public TaskGroup group(@Nullable Target device, TaskGroup.Watcher watcher) {
        Objects.requireNonNull(watcher, "watcher");
        return new TaskGroup(this, device, watcher);
    }

    /**
     * Waits until every submitted task is over. The thread that opened the session runs tasks meanwhile.
     *
     * @throws TaskFailedException when tasks failed since the last call: for the first of them, the others suppressed;
     *     when none did, but tasks were cancelled because they read what an earlier failure poisoned, for that failure
     * @throws DeadlineException when its deadline passed; failures are suppressed
     * @throws CancellationException when the graph was cancelled, or tasks were to read what a cancelled graph did not
     *     write
     * @throws RunEndedException when a listener threw, so that all graphs were cancelled; failures are suppressed
     * @throws WaitInterruptedException when the waiting thread is interrupted
     * @throws IllegalStateException when called from inside a task, by a thread whose own user view has to be closed
     *     first, or by a function that a driver runs for one of the tasks ({@link TaskBuilder#startOn})
     */
    public void await() {
        Wait wait = TaskWait.of(this);
        if (tally.allEnded()) {
            wait.end();
        } else {
            domain.views().requireNoneBefore(this);
            DrivenFunction.requireNoneBefore(this, "graph \"" + name + '"');
            scope.waits.add(wait, 0);
        }
        try {
            await(wait, "graph \"" + name + '"');
        } finally {
            scope.waits.remove(wait);
        }
        domain.settle();
        RunEndedException ended = domain.ended(this);
        if (ended != null) {
            throw with(ended);
        }
        String late = why();
        if (!late.isEmpty()) {
            throw with(new DeadlineException(
                    "graph \"" + name + "\" was cancelled" + late + ": " + report(),
                    !deadlineTold.compareAndSet(false, true)));
        }
        throwFailures();
        if (cancelled) {
            throw new CancellationException("graph \"" + name + "\" was cancelled: " + report());
        }
    }

    /** Whether every submitted task is over. */
    public boolean isOver() {
        return tally.allEnded();
    }

    /**
     * Lets nothing more start. What has not started ends as cancelled; running bodies see it through their contexts,
     * and those of interruptible tasks are interrupted; stages of asynchronous tasks are cancelled.
     */
    public void cancel() {
        cancelled = true; // volatile: who begins after this sees it, and who began before is in the sets
        attempts.forEach(Attempt::interrupt);
        suspended.forEach(AsyncCompletion::cancel);
        awaitedTags.forEach(awaited -> {
            if (awaitedTags.remove(awaited)) {
                awaited.task().edgeGone(null); // no member need come any more
            }
        });
        dispatcher.signal();
    }

    /**
     * Cancels the graph when it is not over in time.
     *
     * @param fromNow more than 0
     */
    public void deadline(Duration fromNow) {
        Objects.requireNonNull(fromNow, "fromNow");
        if (!fromNow.isPositive()) {
            throw new IllegalArgumentException("the deadline of graph \"" + name + "\" must lie ahead, not " + fromNow);
        }
        GraphReference late = self; // the timer must not keep a graph alive that is over
        long nanos = Durations.nanos(fromNow, "the deadline of graph \"" + name + '"');
        self.add(dispatcher.schedule(nanos, () -> {
            TaskGraph graph = late.get();
            if (graph != null && !graph.isOver()) {
                graph.lateBy = "its deadline of " + Durations.text(fromNow) + " passed";
                graph.cancel();
            }
        }));
    }

    /**
     * Bounds the number of live tasks. With a window, a thread that submits from outside of tasks and finds
     * {@code most} of them live waits until half of these are over; the thread that opened the session runs tasks
     * meanwhile. Without a window, a worker's thread that submits beyond 100,000 live tasks runs ready tasks before it
     * goes on, inside whatever locks it holds, and goes on when none is ready. Memory stays bounded however long a loop
     * submits. Once the other workers have enough ready tasks before them, that thread also runs a task that is ready
     * within its submission: what was just submitted, and what it accesses, is still in its caches. Submissions from
     * inside tasks, and by functions that drivers run for tasks ({@link TaskBuilder#startOn}), are counted and never
     * wait.
     *
     * <p>A thread that opens a user view, or has one open, never waits: that is a live task which ends when the thread
     * closes it.
     *
     * @param most at least 1
     * @return this graph
     */
    public TaskGraph window(int most) {
        if (most < 1) {
            throw new IllegalArgumentException(
                    "the window of graph \"" + name + "\" must be at least 1 task, not " + most);
        }
        lookEvery = Integer.highestOneBit(Math.clamp(most / 8, 1, 64));
        enough = Math.min(most / 2, ENOUGH * dispatcher.workers());
        window = most; // volatile: who sees it sees how often to look
        return this;
    }

    /**
     * Runs {@code task}, which is ready, if there is a window and the calling thread has nothing better to do; see
     * {@link Dispatcher#runNow}.
     */
    int runNow(TaskNode task) {
        return window > 0 ? dispatcher.runNow(task, enough) : Dispatcher.NOT_RUN;
    }

    /** A task was submitted, the {@code number}th, and no lock is held. */
    void keepWindow(long number) {
        if ((number & (lookEvery - 1)) == 0) {
            int most = window;
            if (most > 0) {
                keepWithin(most);
            } else if (tally.live() > MANY_LIVE) {
                dispatcher.runReady(() -> tally.live() <= MANY_LIVE);
            }
        }
    }

    private void keepWithin(int most) {
        if (tally.live() > most - lookEvery
                && !dispatcher.isInsideNode()
                && !domain.views().isHoldingUp()
                && !DrivenFunction.isRunFor(domain)) {
            Wait wait = TaskWait.of(this);
            scope.waits.add(wait, most / 2);
            try {
                dispatcher.await(wait);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the next wait says so; the task is submitted
            } finally {
                scope.waits.remove(wait);
            }
        }
    }

    void begins(Attempt attempt) {
        attempts.add(attempt);
        if (cancelled) {
            attempt.interrupt();
        }
    }

    void ends(Attempt attempt) {
        attempts.remove(attempt);
    }

    void suspended(TaskNode task) {
        suspended.add(task);
        if (cancelled) {
            AsyncCompletion.cancel(task);
        }
    }

    /** Shows the asynchronous tasks whose stage is not complete. Any thread. */
    void eachSuspended(Consumer<TaskNode> visitor) {
        suspended.forEach(visitor);
    }

    GraphScope scope() {
        return scope;
    }

    void resumed(TaskNode task) {
        suspended.remove(task);
    }

    /** Whether {@link #cancel} was called, or a task failed and the graph's policy is to stop. */
    public boolean isCancelled() {
        return cancelled;
    }

    /** How many tasks ended how, sub-tasks included. */
    public GraphReport report() {
        long done = tally.ended(TaskState.DONE) + inner.ended(TaskState.DONE);
        long failed = tally.ended(TaskState.FAILED) + inner.ended(TaskState.FAILED);
        long cancelled = tally.ended(TaskState.CANCELLED) + inner.ended(TaskState.CANCELLED);
        List<String> unmet;
        synchronized (tagsWithoutMembers) {
            unmet = List.copyOf(tagsWithoutMembers);
        }
        return new GraphReport(tally.submitted() + innerSubmitted.get(), done, failed, cancelled, unmet);
    }

    /**
     * What this graph's tasks do right now, and what they wait for, sub-tasks included. Any thread; holds no worker up.
     * Takes as long as there are tasks that are not over.
     */
    public RunSnapshot snapshot() {
        return SnapshotCollector.of(domain, this);
    }

    /** Names it, for messages. */
    String text() {
        return "graph \"" + name + '"';
    }

    /** The name given by the session. */
    public String name() {
        return name;
    }

    /** How many accesses, resources counted too, the next task probably has. */
    int accessHint() {
        return accessHint;
    }

    /** A task has so many. */
    void hasAccesses(int size) {
        int hint = accessHint;
        if (size != hint) {
            accessHint = Math.max(size, hint - 2); // not all the way back at once: tasks of two sizes may take turns
        }
    }

    /** Whether {@code resource} belongs to the session. */
    boolean owns(Resource resource) {
        return resource.owner() == domain.owner;
    }

    /** What to throw when it does not. */
    IllegalArgumentException foreign(Resource resource, String task) {
        return new IllegalArgumentException("task \"" + task + "\" of graph \"" + name + "\" accesses \""
                + resource.name() + "\", which belongs to another session");
    }

    /** What tasks with {@code tag} write and those after them read. */
    Resource tag(String tag) {
        synchronized (tags) {
            Reference<Resource> reference = tags.get(tag);
            Resource known = reference == null ? null : reference.get();
            return known == null ? newTag(tag) : known;
        }
    }

    /** Under the monitor of the tags. */
    private Resource newTag(String tag) {
        if (tags.size() >= sweepTagsAt) {
            tags.values().removeIf(old -> old.refersTo(null));
            sweepTagsAt = Math.max(SWEEP, 2 * tags.size());
        }
        Resource made = new TagResource(tag, domain.owner);
        tags.put(tag, new WeakReference<>(made));
        if (log != null) {
            keptTags.add(made);
        }
        return made;
    }

    /** A task with these accesses did not end well: who comes after its tags must hear of it. */
    void keepTags(AccessList accesses) {
        for (int i = 0; i < accesses.size(); i++) {
            if (accesses.access(i) == TagAccess.MEMBER) {
                synchronized (tags) {
                    keptTags.add(accesses.resource(i));
                }
            }
        }
    }

    /** A task was to come after a tag that no task has had. */
    void hasNoMembers(String tag) {
        synchronized (tagsWithoutMembers) {
            if (tagsWithoutMembers.size() < KEPT_TAGS) {
                tagsWithoutMembers.add(tag);
            }
        }
    }

    /**
     * Lets a task wait for the first member of a tag. Under the lock of its scope.
     *
     * @return false when the graph is cancelled, so that no member need come
     */
    boolean awaitTag(Tags.Awaited awaited) {
        awaitedTags.add(awaited);
        domain.awaitsTags = true;
        return !cancelled || !awaitedTags.remove(awaited); // cancel() looks after it has set that
    }

    /**
     * The first member of a tag was submitted: it takes the place of the tag before those that wait. Under the lock of
     * its scope.
     */
    void tagHas(Scope where, String tag, TaskNode member) {
        if (!awaitedTags.isEmpty()) {
            awaitedTags.forEach(awaited -> {
                boolean its = awaited.isFor(where, tag) && awaited.task() != member;
                if (its && awaitedTags.remove(awaited) && !member.addLink(awaited.task(), true, true)) {
                    throw new IllegalStateException("task \"" + member.name() + "\" is over before it was submitted");
                }
            });
        }
    }

    /** Shows what waits for the first member of a tag. Any thread. */
    void eachAwaitedTag(Consumer<Tags.Awaited> visitor) {
        awaitedTags.forEach(visitor);
    }

    void subTaskSubmitted() {
        innerSubmitted.getAndIncrement();
    }

    void subTaskEnded(WorkerContext worker, TaskState last) {
        inner.end(worker.index(), last);
    }

    void signal() {
        dispatcher.signal();
    }

    /** Waits until {@code wait} is over. */
    void await(Wait wait, String what) {
        try {
            dispatcher.await(wait);
        } catch (InterruptedException e) {
            throw new WaitInterruptedException(what, e);
        }
        requireWhole();
    }

    void await(BooleanSupplier done, String what) {
        try {
            dispatcher.awaitUntil(() -> done.getAsBoolean() || domain.isBroken());
        } catch (InterruptedException e) {
            throw new WaitInterruptedException(what, e);
        }
        requireWhole();
    }

    private void requireWhole() {
        if (domain.isBroken()) {
            domain.breakOff("a submission");
            domain.requireWhole();
        }
    }

    /** The body of {@code task} ran since {@code start}. */
    void bodyEnded(WorkerContext worker, TaskNode task, long start) {
        long end = worker.lane().endTask(task.name(), start);
        if (log != null) {
            log.ran(task, worker.index(), end - start);
        }
    }

    @Nullable
    GraphLog log() {
        return log;
    }

    /**
     * All tasks and edges from the first on: the dependency graph, and with the edges that a scheduling policy added
     * the scheduling graph.
     *
     * @throws IllegalStateException when the session does not keep its graphs
     */
    public GraphSnapshot history() {
        if (log == null) {
            throw new IllegalStateException("graph \"" + name
                    + "\" does not know its past: open the session with Session.builder().keepGraphs()");
        }
        return log.snapshot();
    }

    /** A task did not end well: the next await says so. Called before anything that depends on the task can start. */
    void keep(Outcome how) {
        domain.remember(this);
        failures.keep(how);
        if (how.isFailure() && policy == FailurePolicy.STOP && !cancelled) {
            cancel();
        }
    }

    /** Somebody was told what became of a task: no await needs to. */
    void told(@Nullable Outcome how) {
        failures.tell(how);
    }

    /** The outcome that a task which is submitted now, and cannot run because of {@code why}, is given. */
    Outcome asOfNow(Outcome why) {
        return failures.asOfNow(why);
    }

    /** Why the graph was cancelled, for messages; empty when it was not, or by a call of {@link #cancel}. */
    String why() {
        String late = lateBy;
        return cancelled && late != null ? ", since " + late : "";
    }

    /** The failures that no await has told are suppressed in {@code ended}. */
    private <E extends RuntimeException> E with(E ended) {
        try {
            throwFailures();
        } catch (RuntimeException e) {
            ended.addSuppressed(e);
        }
        return ended;
    }

    private void throwFailures() {
        domain.forget(this);
        RuntimeException failure = failures.take(this::report);
        if (failure != null) {
            throw failure;
        }
    }
}
