package dev.jacquard.core.graph;

import dev.jacquard.base.failure.Suppressed;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.memory.data.Resource;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An append-only graph of tasks that grows while it runs. Code order is access order: a task waits for the earlier
 * tasks with accesses that conflict with its own, and for nothing else.
 *
 * <pre>{@code
 * Handle<double[]> x = session.wrap("x", new double[1_000_000]);
 * TaskGraph graph = session.graph();
 * graph.task("fill").writes(x).run(ctx -> Arrays.fill(ctx.get(x), 1.0));
 * Task<Double> sum = graph.task("sum").reads(x).call(ctx -> Arrays.stream(ctx.get(x)).sum());
 * System.out.println(sum.join());
 * }</pre>
 *
 * <p>A failed task poisons its output: tasks that read a poisoned resource are cancelled and name the cause; a task
 * that overwrites the whole resource clears the poison.
 *
 * <p>Threads: any thread may submit, from inside tasks too. Tasks that one thread submits keep its order, and
 * submissions by several threads happen one after the other. All other methods may be called by any thread as well.
 *
 * <p>Source: the resource-register document, sections 2 and 3.
 */
public final class TaskGraph implements Tasks {
    private final String name;
    private final DependencyDomain domain;
    private final Dispatcher dispatcher;
    private final FailurePolicy policy;
    private final TaskCounters tally;
    private final GraphScope scope;
    /** The reference by which the domain and timers know this graph. */
    private final GraphReference self;
    /** The counts of sub-tasks, by how they ended. */
    private final TaskCounters inner;
    /** The number of sub-tasks submitted, by many submitters. */
    private final AtomicLong innerSubmitted = new AtomicLong();

    private final @Nullable GraphLog log;
    private final GraphTags tags;
    private final RunningTasks running = new RunningTasks(this);

    /**
     * The number of accesses to expect of the next task; see {@link #hasAccesses}. A guess: written by submitters
     * without an order, and seldom.
     */
    private int accessHint = 2;

    private volatile boolean cancelled;
    /** The failures that no await has reported yet. */
    private final Failures failures;

    /**
     * Creates a graph. For sessions, which hand graphs out.
     *
     * @param name its name, for messages
     * @param domain the state shared with the session's other graphs
     * @param policy the effect of a failure on the other tasks
     */
    public TaskGraph(String name, DependencyDomain domain, FailurePolicy policy) {
        this.name = name;
        this.domain = domain;
        this.dispatcher = domain.dispatcher;
        this.policy = policy;
        this.tally = new TaskCounters(dispatcher.workers());
        this.inner = new TaskCounters(dispatcher.workers());
        this.log = domain.keepsGraphs() ? new GraphLog(name) : null;
        this.tags = new GraphTags(this, domain);
        this.scope = new GraphScope(this, domain, tally);
        this.self = new GraphReference(this);
        this.failures = new Failures(name, self, domain);
        domain.register(this, self);
    }

    @Override
    public TaskBuilder task(String task) {
        Objects.requireNonNull(task, "task");
        return new TaskBuilder(scope, task);
    }

    /** Returns a new group of tasks of this graph, which runs an action when all of them are over. */
    public TaskGroup group() {
        return group(null, (from, to) -> {});
    }

    /**
     * Returns a new group of tasks with a device and a watcher.
     *
     * @param device the target where the group's kernels run; null for any
     * @param watcher is notified when tasks of the group change their phase
     */
    public TaskGroup group(@Nullable ExecutionTarget device, TaskGroup.Watcher watcher) {
        Objects.requireNonNull(watcher, "watcher");
        return new TaskGroup(this, device, watcher);
    }

    /**
     * Waits until every submitted task is over. The thread that opened the session runs tasks during the wait.
     *
     * @throws TaskFailedException when tasks failed since the last call: for the first of them, the others suppressed;
     *     when none did, but tasks were cancelled because they read data that an earlier failure poisoned, for that
     *     failure
     * @throws DeadlineException when the graph's deadline passed; failures are suppressed
     * @throws CancellationException when the graph was cancelled, or tasks were to read data that a cancelled graph did
     *     not write
     * @throws RunEndedException when a listener threw, so that all graphs were cancelled; failures are suppressed
     * @throws WaitInterruptedException when the waiting thread is interrupted
     * @throws IllegalStateException when called from inside a task, by a listener, by a thread with a user view that
     *     has to be closed first, or by a function that a driver runs for one of the tasks
     *     ({@link TaskBuilder#startOn})
     */
    public void await() {
        TaskWait wait = TaskWait.of(this);
        if (tally.allEnded()) {
            wait.end();
        } else {
            OpenRuns.requireNotHeldUp(this);
            scope.waits.add(wait, 0);
        }
        try {
            wait.await(text());
        } finally {
            scope.waits.remove(wait);
        }
        domain.epochs.settle();
        boolean isCancelled;
        synchronized (self) { // a deadline that found tasks left is seen here, and a later one finds none
            isCancelled = cancelled || self.lateBy() != null;
        }
        RuntimeException end = domain.ended(() -> text() + " was cancelled: " + report());
        String late = why();
        if (end == null && !late.isEmpty()) {
            end = new DeadlineException(text() + " was cancelled" + late + ": " + report(), !self.tellsLate());
        }
        RuntimeException failure = failures.take(this::report);
        if (end != null && failure != null) {
            Suppressed.add(end, failure);
        }
        if (end != null || failure != null) {
            throw end != null ? end : failure;
        }
        if (isCancelled) {
            throw new CancellationException(text() + " was cancelled: " + report());
        }
    }

    /** Returns true if every submitted task is over. */
    public boolean isOver() {
        return tally.allEnded() || domain.abandonment.isOver();
    }

    /**
     * Cancels the graph: no further task starts. Tasks that have not started end as cancelled; running bodies see the
     * cancellation through their contexts, and bodies of interruptible tasks are interrupted; stages of asynchronous
     * tasks are cancelled.
     */
    public void cancel() {
        cancelled = true; // volatile: a task that begins after this sees it, and one that began before is in the sets
        running.interrupt();
        self.cancelled();
        running.cancelWaiting();
    }

    /**
     * Cancels the graph when it is not over within a time.
     *
     * @param fromNow the time from now on, more than 0
     */
    public void deadline(Duration fromNow) {
        Objects.requireNonNull(fromNow, "fromNow");
        if (!fromNow.isPositive()) {
            throw new IllegalArgumentException(
                    "the deadline of graph \"" + name + "\" must be more than 0 from now on, not " + fromNow);
        }
        long nanos = Durations.nanos(fromNow, "the deadline of graph \"" + name + '"');
        self.add(nanos, fromNow, dispatcher);
    }

    /** Cancels the graph from the timers' thread, which runs no users' code. */
    void cancelOnTimer() {
        cancelled = true;
        running.interrupt();
        self.cancelled();
        dispatcher.signal();
        dispatcher.runUserCode(running::cancelWaiting);
    }

    /**
     * Bounds the number of live tasks. With a window, a thread that submits from outside of tasks and finds
     * {@code most} of them live waits until half of these are over; the thread that opened the session runs tasks
     * during the wait. Without a window, a worker's thread that submits beyond 100,000 live tasks runs ready tasks
     * before it goes on, inside whatever locks it holds, and goes on when none is ready. Memory stays bounded however
     * long a loop submits. Once the other workers have enough ready tasks, such a thread also runs a task that is ready
     * at once within the submission: the new task and its data are still in the thread's caches. Submissions from
     * inside tasks, and by functions that drivers run for tasks ({@link TaskBuilder#startOn}), are counted and never
     * wait.
     *
     * <p>A thread that opens a user view, or has one open, never waits: the view is a live task, which ends when the
     * thread closes the view. Nor does an interrupted thread: the next wait throws.
     *
     * @param most the number of live tasks, at least 1
     * @return this graph
     */
    public TaskGraph window(int most) {
        if (most < 1) {
            throw new IllegalArgumentException(
                    "the window of graph \"" + name + "\" must be at least 1 task, not " + most);
        }
        scope.waits.window(most);
        return this;
    }

    GraphScope scope() {
        return scope;
    }

    RunningTasks running() {
        return running;
    }

    GraphTags tags() {
        return tags;
    }

    /** Returns the failures that no await has reported yet. */
    Failures failures() {
        return failures;
    }

    /** Returns true if {@link #cancel} was called, or a task failed and the graph's policy is to stop. */
    public boolean isCancelled() {
        return cancelled;
    }

    /** Returns the counts of tasks by how they ended, sub-tasks included. */
    public GraphReport report() {
        GraphReport now = GraphReport.of(tally, inner, innerSubmitted, tags.unmet());
        return domain.abandonment.isOver() ? now.abandoned() : now;
    }

    /**
     * Returns a view of the present states of this graph's tasks, sub-tasks included, and of the reasons for their
     * waits. Any thread; holds no worker up. Takes time in proportion to the number of tasks that are not over.
     */
    public RunSnapshot snapshot() {
        return domain.snapshot(this);
    }

    /** Returns a text that names the graph, for messages. */
    String text() {
        return "graph \"" + name + '"';
    }

    /** Returns the name given by the session. */
    public String name() {
        return name;
    }

    /** Returns the number of accesses that the next task probably has. */
    int accessHint() {
        return accessHint;
    }

    /** Notes the number of accesses of a task. */
    void hasAccesses(int size) {
        int hint = accessHint;
        if (size != hint) {
            accessHint = Math.max(size, hint - 1); // shrinks slowly: tasks of two sizes may take turns
        }
    }

    /** Returns true if {@code resource} belongs to the session. */
    boolean owns(Resource resource) {
        return resource.owner() == domain.owner;
    }

    /** Returns the exception to throw when {@code resource} belongs to another session. */
    IllegalArgumentException foreign(Resource resource, String task) {
        return new IllegalArgumentException("task \"" + task + "\" of graph \"" + name + "\" accesses \""
                + resource.name() + "\", which belongs to another session");
    }

    void subTaskSubmitted() {
        innerSubmitted.getAndIncrement();
    }

    void subTaskEnded(WorkerContext worker, TaskState last) {
        inner.end(worker.index(), last);
    }

    /** Notes that the body of {@code task}, which began at {@code start}, has ended. */
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
     * Returns all tasks and edges from the first on: the dependency graph, which together with the edges that a
     * scheduling policy added is the scheduling graph.
     *
     * @throws IllegalStateException when the session does not keep its graphs
     */
    public GraphSnapshot history() {
        if (log == null) {
            throw new IllegalStateException("graph \"" + name
                    + "\" keeps no record of its tasks: open the session with Session.builder().keepGraphs()");
        }
        return log.snapshot();
    }

    /**
     * Keeps the outcome of a task that did not end well, for the next await to report. Called before any task that
     * depends on that task can start.
     */
    void keep(Outcome how) {
        domain.epochs.troubled();
        failures.keep(how);
        if (how.isFailure() && policy == FailurePolicy.STOP && !cancelled) {
            cancel();
        }
    }

    /**
     * Returns the reason why the graph was cancelled, for messages; empty when it was not, or by a call of
     * {@link #cancel}.
     */
    String why() {
        String late = self.lateBy();
        return late != null ? ", since " + late : "";
    }
}
