package dev.jacquard.core.graph;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.data.Resource;
import dev.jacquard.core.depend.AccessTracker;
import dev.jacquard.core.depend.Dependents;
import dev.jacquard.core.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An append-only graph that grows while it runs. Code order is access order: a task waits for the earlier tasks whose accesses
 * conflict with its own, and for nothing else.
 *
 * {@snippet :
 * Handle<double[]> x = session.wrap("x", new double[1_000_000]);
 * TaskGraph graph = session.graph();
 * graph.task("fill").writes(x).run(ctx -> Arrays.fill(ctx.get(x), 1.0));
 * Result<Double> sum = graph.task("sum").reads(x).call(ctx -> Arrays.stream(ctx.get(x)).sum());
 * System.out.println(sum.join());
 * }
 *
 * <p>A failing task poisons what it was to write: tasks that read it are cancelled and name the cause; one that overwrites it
 * whole clears it.
 *
 * <p>Threads: tasks are submitted by the thread that opened the session. Everything else may be called by any thread.
 *
 * <p>Source: the resource-register document, sections 2 and 3.
 */
public final class TaskGraph {
    private static final int KEPT_FAILURES = 16;
    private static final int SCRATCH = 16;

    private static final Dependents<Task> LINKS = new Dependents<>() {
        @Override
        public void link(Task earlier, Task later, boolean carriesFailure) {
            later.waitFor(earlier, carriesFailure);
        }

        @Override
        public boolean isForgotten(Task earlier, boolean wrote) {
            return earlier.isForgotten(wrote);
        }
    };

    private final String name;
    private final Object owner;
    private final Thread submitter;
    private final Dispatcher dispatcher;
    private final FailurePolicy policy;
    private final Tally tally;
    private final boolean traced;

    /** Where a builder collects accesses before it knows how many; null while one has it. Submitter only. */
    private @Nullable Object @Nullable [] scratch;

    private volatile boolean cancelled;
    /** Guarded by itself: the first failures that no await has reported yet. */
    private final List<Outcome> failures = new ArrayList<>();
    /** Guarded by failures: the first task that another one's end cancelled and that no await has reported yet. */
    private @Nullable Outcome firstCancelled;

    /**
     * For sessions, which hand graphs out.
     *
     * @param name for messages
     * @param owner the session whose resources the tasks may access
     * @param submitter the only thread that may submit
     * @param dispatcher where ready tasks go
     * @param policy what a failure does to the rest
     */
    public TaskGraph(String name, Object owner, Thread submitter, Dispatcher dispatcher, FailurePolicy policy) {
        this.name = name;
        this.owner = owner;
        this.submitter = submitter;
        this.dispatcher = dispatcher;
        this.policy = policy;
        this.tally = new Tally(dispatcher.workers());
        this.traced = dispatcher.trace().on();
    }

    /**
     * Begins a task.
     *
     * @param task its name, for messages, traces and drawings; need not be unique
     * @throws IllegalStateException when called by another thread than the submitter
     */
    public TaskBuilder task(String task) {
        if (Thread.currentThread() != submitter) {
            throw new IllegalStateException("task \"" + task + "\" was submitted to graph \"" + name + "\" by thread "
                    + Thread.currentThread().getName() + ", but only the thread that opened the session, "
                    + submitter.getName() + ", may submit");
        }
        return new TaskBuilder(this, task);
    }

    /**
     * Waits until every submitted task is over. The thread that opened the session runs tasks meanwhile.
     *
     * @throws TaskFailedException when tasks failed since the last call: for the first of them, the others suppressed; when
     *     none did, but tasks were cancelled because they read what an earlier failure poisoned, for that failure
     * @throws CancellationException when the graph was cancelled, or tasks were to read what a cancelled graph did not write
     * @throws WaitInterruptedException when the waiting thread is interrupted
     * @throws IllegalStateException when called from inside a task
     */
    public void await() {
        await(tally::allEnded, "graph \"" + name + '"');
        throwFailures();
        if (cancelled) {
            throw new CancellationException("graph \"" + name + "\" was cancelled: " + report());
        }
    }

    /** Whether every submitted task is over. */
    public boolean isOver() {
        return tally.allEnded();
    }

    /** Lets nothing more start; running tasks see it through their contexts. What has not started ends as cancelled. */
    public void cancel() {
        cancelled = true;
    }

    /** Whether {@link #cancel} was called, or a task failed and the graph's policy is to stop. */
    public boolean isCancelled() {
        return cancelled;
    }

    /** How many tasks ended how. */
    public GraphReport report() {
        return tally.report();
    }

    /** The name given by the session. */
    public String name() {
        return name;
    }

    @Nullable
    Object[] takeScratch() {
        @Nullable Object[] mine = scratch;
        scratch = null;
        return mine == null ? new @Nullable Object[SCRATCH] : mine;
    }

    /** Given back as it is: what it still refers to is live at least until the next task. */
    void giveScratch(@Nullable Object[] collected) {
        scratch = collected;
    }

    void requireOwn(Resource resource, String task) {
        if (resource.owner() != owner) {
            throw new IllegalArgumentException("task \"" + task + "\" of graph \"" + name + "\" accesses \""
                    + resource.name() + "\", which belongs to another session");
        }
    }

    /** Infers the task's edges, in the order of its accesses, and makes it ready when there are none left. */
    void submit(Task task) {
        tally.submit();
        try {
            task.register(LINKS);
        } catch (RuntimeException | Error e) {
            task.withdraw();
            throw e;
        } finally {
            if (task.commit()) {
                task.markReady();
                dispatcher.ready(task);
            }
        }
    }

    @SuppressWarnings("unchecked") // the only one who sets a tracker is this method
    static void track(Resource resource, Access access, Task task, Dependents<Task> links) {
        Object tracker = resource.tracker();
        if (tracker == null) {
            tracker = new AccessTracker<Task>();
            resource.tracker(tracker);
        }
        ((AccessTracker<Task>) tracker).submit(task, access, links);
    }

    void ended(WorkerContext worker, TaskState last) {
        tally.end(worker.index(), last);
    }

    void signal() {
        dispatcher.signal();
    }

    void await(BooleanSupplier done, String what) {
        try {
            dispatcher.awaitUntil(done);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterruptedException(what, e);
        }
    }

    boolean traced() {
        return traced;
    }

    long nanoTime() {
        return dispatcher.trace().nanoTime();
    }

    void span(WorkerContext worker, String task, long start) {
        Trace trace = dispatcher.trace();
        worker.lane().record(trace.name(task), start, trace.nanoTime(), 0);
    }

    /** A task did not end well: the next await says so. Called before anything that depends on the task can start. */
    void keep(Outcome how) {
        synchronized (failures) {
            if (!how.isFailure()) {
                firstCancelled = firstCancelled == null && how.isConsequence() ? how : firstCancelled;
            } else if (failures.size() < KEPT_FAILURES) {
                failures.add(how);
            }
        }
        if (how.isFailure() && policy == FailurePolicy.STOP) {
            cancelled = true;
        }
    }

    private void throwFailures() {
        synchronized (failures) {
            Outcome stopped = firstCancelled;
            firstCancelled = null;
            if (!failures.isEmpty()) {
                throw ofFailures(stopped);
            }
            if (stopped != null) {
                throw ofEarlier(stopped);
            }
        }
    }

    /** For the failures that nobody reported yet. Under their monitor. */
    private TaskFailedException ofFailures(@Nullable Outcome stopped) {
        String consequences =
                "\n  " + report() + (stopped == null ? "" : "; first cancelled: \"" + stopped.task() + '"');
        TaskFailedException first = TaskFailedException.of(failures.getFirst(), consequences);
        failures.subList(1, failures.size()).forEach(other -> first.addSuppressed(TaskFailedException.of(other, "")));
        failures.clear();
        return first;
    }

    /** For a task that could not run because of what happened before the last await, or in another graph. */
    private RuntimeException ofEarlier(Outcome stopped) {
        String consequences = "\n  so " + stopped.path() + " was cancelled\n  " + report();
        Outcome root = stopped.root();
        return root == null
                ? new CancellationException(
                        "a cancelled graph did not write what graph \"" + name + "\" was to read," + consequences)
                : TaskFailedException.of(root, consequences);
    }
}
