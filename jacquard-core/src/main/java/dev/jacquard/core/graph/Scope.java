package dev.jacquard.core.graph;

import dev.jacquard.base.concurrent.SpinLock;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.insight.analysis.GraphSnapshot.Kind;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.depend.AccessTracker;
import dev.jacquard.memory.depend.AccessTracker.Dependents;
import dev.jacquard.memory.depend.Exclusions;
import dev.jacquard.memory.residency.Staging.PlannedAccess;
import org.jspecify.annotations.Nullable;

/**
 * A set of tasks that are ordered by their accesses: a graph, or the inside of a refined task.
 *
 * <p>A submission is one section under the lock: first everything that can fail, then all edges, then the count of the
 * task. So a submission happens as a whole or not at all, and several submitters agree on one order.
 */
abstract class Scope implements Submission, Dependents<Tracked> {
    /**
     * The number of submissions between two looks at the count of live tasks, a power of two: large enough that the
     * looks cost next to nothing.
     */
    static final int LOOK_SELDOM = 1024;
    /** The number of live tasks above which, without a window, a submitting worker runs ready tasks itself. */
    static final int MANY_LIVE = 100_000;

    final TaskGraph graph;
    final DependencyDomain domain;
    final SpinLock lock;
    /** The observer of changes of state; null when there is none. */
    final @Nullable StateObserver watch;

    /** True if tasks know their numbers and their depth, for a policy, a log or a listener. */
    private final boolean numbered;

    /** True if each task has more than its builder declared: a number, or an observer of its body. */
    final boolean watched;

    /** True if bodies are timed. The flag is here, where a worker looks anyway. */
    private final boolean timed;
    /** True if a policy is asked for edges. */
    private final boolean advised;
    /**
     * True if each task has an edge of its submitter's, so that it is not ready before the submitter removes that edge.
     */
    private final boolean held;
    /** The log of tasks and edges; null when the session does not keep its graphs. */
    final @Nullable GraphLog log;

    /** The name of the resource that causes the next links, where tasks are numbered. Guarded by the lock. */
    private String label = "";
    /** True if that resource stands for a tag. Guarded by the lock. */
    private boolean tag;

    /** The edges of the task that is being submitted. Guarded by the lock. */
    final SubmittedEdges edges = new SubmittedEdges();

    /** The tags of the scope's tasks. */
    final Tags tags = new Tags(this);

    /** The last synchronizing task, while it is not known to be over. Guarded by the lock. */
    private @Nullable TaskNode barrier;

    /** The synchronizing tasks that wait; null before the first. Written once, under the lock. */
    volatile @Nullable Gates gates;

    /**
     * The number of task ends on one worker between its checks if a wait for this scope's tasks is over, a power of
     * two; 0 while no thread waits. Written by {@link LiveWaits} under its monitor, read by workers after the full
     * fence of a task's end.
     */
    volatile int lookEvery;

    Scope(TaskGraph graph, DependencyDomain domain, SpinLock lock) {
        this.graph = graph;
        this.domain = domain;
        this.lock = lock;
        this.watch = domain.watch;
        this.log = graph.log();
        this.advised = domain.dispatcher.policyQuestions().submissions();
        this.held = watch != null || advised;
        this.numbered = log != null
                || watch != null
                || domain.dispatcher.policyQuestions().readyTasks();
        this.watched = numbered || domain.checking() != null;
        this.timed = log != null || domain.dispatcher.trace().on();
    }

    @Override
    public final Scope scope() {
        return this;
    }

    @Override
    public final boolean mayComeAfter(TaskNode earlier) {
        return earlier.scope().lock == lock && !earlier.isRecorded();
    }

    /** Returns a number; when it differs from the last one, everything before is forgotten. Under the lock. */
    @Override
    public int epoch() {
        return 0;
    }

    /** Returns the tracker of {@code resource} in this scope. Under the lock. */
    abstract AccessTracker<Tracked> tracker(Resource resource);

    /** Throws unless {@code task} may be submitted now. Under the lock. */
    abstract void requireOpen(TaskNode task);

    /** Counts a submitted task; returns the number of tasks submitted so far. Under the lock. */
    abstract long count();

    /** Returns the number of tasks submitted so far. Under the lock. */
    abstract long submitted();

    /** Returns the number of tasks that have ended; may be too small, but never too large. */
    abstract long ended();

    /** Counts a task that has ended in state {@code last}, while its links are still open. */
    abstract void end(WorkerContext worker, TaskState last);

    /** Returns the holders of the unordered resources. */
    abstract Exclusions<TaskNode, Poison> exclusions();

    /**
     * {@inheritDoc}
     *
     * <p>Infers the task's edges, in the order of its accesses, and makes the task ready when no edge is left. The
     * staging knows of a task that accesses data before the task has its place in the order, so that the data that it
     * writes is not brought to others too soon.
     *
     * <p>An exception before the task is registered leaves no trace. An error from then on, when memory or the stack is
     * full, may leave half a registration, for which other tasks would wait for ever: such an error ends the run.
     *
     * <p>One method, of more bytecodes than the JVM's compiler includes in a caller: else {@link TaskBuilder#run} may
     * grow too large to be included in the user's code, by the order in which methods happen to be compiled, and each
     * task then allocates its builder.
     */
    @Override
    public final void submit(TaskNode task, boolean special) {
        if (advised) {
            domain.policyEdges.requireNotAsking(task.name());
        }
        StagedData data = task.data();
        PlannedAccess plan = data == null || !domain.staging().plans() ? null : data.plan();
        boolean registers = false;
        boolean locked = true;
        lock.lock();
        try {
            requireOpen(task);
            Accesses.requireThere(task);
            if (special) {
                Accesses.probe(task, this::tracker);
                tags.require(task, barrier);
            }
            registers = true;
            edges.begin(held, special || numbered || task.taskRun() != null);
            long number = register(task, special);
            boolean ready = edges.commit(task);
            lock.unlock();
            locked = false;
            // From here on outside of the lock, since users' code is notified of the task.
            if (held) {
                if (advised) {
                    domain.policyEdges.ask(task, earlier -> addEdge(earlier, task));
                }
                if (watch != null) {
                    task.tellPending(); // before the task can be anything else
                }
                task.edgeGone(null);
            } else if (ready) {
                ready(task);
            }
            openGates(null); // of this thread, or of a thread that looks itself
            afterSubmission(number);
        } catch (Throwable e) {
            if (locked ? registers : e instanceof Error) { // the task is half registered, or may be in no queue
                domain.broken.by = e; // a field, since there may be no stack left for a call
            }
            if (locked) {
                try {
                    lock.unlock();
                } catch (Error full) {
                    domain.broken.by = full;
                    throw full;
                }
            }
            if (plan != null) {
                plan.over(); // first: the end of the run may fail too, and is then left to the next wait
            }
            domain.broken.endRunOf(task);
            throw e;
        }
        if (plan != null) {
            submitted(task, plan);
        }
    }

    /** Begins the copies that a submitted task needs. A half done copy would hold up all later ones. */
    private void submitted(TaskNode task, PlannedAccess plan) {
        try {
            plan.submitted();
        } catch (Error e) { // memory or the stack is full
            domain.broken.by = e; // a field, since there may be no stack left for a call
            domain.broken.endRunOf(task);
            throw e;
        }
    }

    /** Makes a submitted task ready that waits for nothing. No lock is held. */
    void ready(TaskNode task) {
        task.readyOutside(domain.dispatcher);
    }

    /** Called after the submission of the {@code number}th task. No lock is held. */
    void afterSubmission(long number) {}

    /** Adds all edges; returns the number of tasks submitted so far. Under the lock. */
    final long register(TaskNode task, boolean special) {
        TaskRun run = task.taskRun();
        if (run != null) {
            if (run.options.unordered) {
                run.tellings = domain.tellings.get();
            }
            if (numbered) {
                run.id = domain.ids.getAndIncrement();
                if (log != null) {
                    log.submitted(task, parent());
                }
            }
            if (run.options.synchronizing) {
                Gates its = gates == null ? new Gates(this) : gates;
                its.add(task, submitted());
                gates = its; // after the gate: a worker that sees the gates sees it
                edges.count(task);
            }
            for (TaskNode earlier : run.after) {
                link(earlier, task, true, Kind.EXPLICIT);
            }
        }
        TaskNode last = barrier;
        if (last != null && log == null && last.isOver()) {
            barrier = null;
        } else if (last != null) {
            link(last, task, false, Kind.BARRIER);
        }
        if (special) {
            waitForMakers(task);
            tags.meet(task);
        }
        try {
            if (special || run != null || numbered || !mayBeDeferred()) {
                meetTrackers(task);
            } else {
                domain.epochs.defer(task);
            }
        } catch (VirtualMachineError e) { // the tracker may be half changed
            throw e;
        } catch (RuntimeException | Error e) { // an access of a user's that breaks its laws, and threw only now
            Accesses.broken(task, e); // the registered part stays
        }
        enter(task);
        if (run != null && run.options.synchronizing) {
            barrier = task;
        }
        return count();
    }

    /**
     * Calls the trackers of the resources, in the order of accesses. Under the lock. Returns false if the task has no
     * accesses any more.
     */
    final boolean meetTrackers(TaskNode task) {
        AccessList declared = task.accessesNow();
        if (declared == null) {
            return false;
        }
        TaskRun run = task.taskRun();
        if (run != null && run.options.readsFirst) {
            declared = declared.readsFirst();
        }
        for (int i = 0; i < declared.size(); i++) {
            Resource resource = declared.resource(i);
            if (!resource.isUnordered()) {
                Access access = declared.access(i);
                if (numbered) {
                    label = resource.name();
                    tag = access instanceof TagAccess;
                }
                tracker(resource).submit(task, access, this);
            }
        }
        return true;
    }

    /** Returns the task that contains this scope; null for a graph's own scope. */
    abstract @Nullable TaskNode parent();

    /** Returns true if all earlier tasks are over, so that the trackers would give no edges. Under the lock. */
    boolean mayBeDeferred() {
        return false;
    }

    /** Adds the edges that are particular to a kind of scope. Under the lock. */
    void enter(TaskNode task) {}

    /** Makes {@code task} wait for unfinished tasks that made, inside, a resource that it accesses. Under the lock. */
    private void waitForMakers(TaskNode task) {
        AccessList declared = task.declared();
        for (int i = 0; i < declared.size(); i++) {
            Origin origin = Origin.of(declared.resource(i));
            TaskNode maker = origin == null ? null : origin.enters(this);
            if (maker != null && maker != task && !maker.isOver()) {
                link(maker, task, declared.access(i).reads(), Kind.EXPLICIT);
            }
        }
    }

    @Override
    public final void link(Tracked earlier, Tracked later, boolean carriesFailure) {
        TaskNode task = (TaskNode) later;
        if (earlier instanceof TaskNode before) {
            link(before, task, carriesFailure, tag ? Kind.TAG : Kind.IMPLICIT);
        } else if (carriesFailure) {
            task.cancelBecause(((Poison) earlier).seenBy(graph.failures()));
        }
    }

    private void link(TaskNode earlier, TaskNode later, boolean carriesFailure, Kind kind) {
        if (numbered) {
            later.deepen(earlier);
            if (log != null) {
                log.edge(earlier, later, kind, kind == Kind.IMPLICIT || kind == Kind.TAG ? label : "");
            }
        }
        edges.add(earlier, later, carriesFailure, kind != Kind.IMPLICIT && kind != Kind.TAG);
    }

    /** Makes {@code task}, which is not ready, wait for {@code earlier} too, as the policy wants. Takes the lock. */
    private void addEdge(TaskNode earlier, TaskNode task) {
        lock.lock();
        try {
            if (domain.awaitsTags && Successors.find(task, each -> each == earlier) != null) {
                return; // the policy cannot know that the earlier task waits for the new one, for its tag
            }
            task.deepen(earlier);
            if (log != null) {
                log.edge(earlier, task, Kind.POLICY, "");
            }
            if (task.addEdge(earlier)) {
                LaunchAhead.linked(earlier, task);
            }
        } finally {
            lock.unlock();
        }
    }

    final boolean timed() {
        return timed;
    }

    @Override
    public final boolean isForgotten(Tracked earlier, boolean wrote) {
        return earlier instanceof TaskNode task ? log == null && task.isForgotten(wrote) : !wrote;
    }

    /** Called when a task has ended on {@code worker} while {@link #lookEvery} was {@code every}, more than 0. */
    void looksAtEnd(WorkerContext worker, int every) {}

    /**
     * Releases the synchronizing tasks for which everything before is over. {@code context} is null outside of workers.
     */
    final void openGates(@Nullable WorkerContext context) {
        Gates its = gates;
        if (its != null) {
            its.open(context);
        }
    }
}
