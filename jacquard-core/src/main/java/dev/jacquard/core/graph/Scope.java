package dev.jacquard.core.graph;

import dev.jacquard.base.concurrent.SpinLock;
import dev.jacquard.core.depend.AccessTracker;
import dev.jacquard.core.depend.Dependents;
import dev.jacquard.core.depend.Exclusions;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.insight.analysis.GraphSnapshot.Kind;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.access.AreaAccess;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Resource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A set of tasks that are ordered by their accesses: a graph, or the inside of a refined task.
 *
 * <p>A submission is one section under the lock: first everything that can fail, then all edges, then the count of the
 * task. So a submission happens as a whole or not at all, and several submitters agree on one order.
 */
abstract sealed class Scope implements Dependents<TaskNode> permits GraphScope, Refinement, RecordingScope {
    private static final int PLACE = 32;

    private static final VarHandle GATES;

    static {
        try {
            GATES = MethodHandles.lookup().findVarHandle(Scope.class, "gates", Gate.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final TaskGraph graph;
    final DependencyDomain domain;
    final SpinLock lock;
    /** The observer of changes of state; null when there is none. */
    final @Nullable StateObserver watch;

    /** True if tasks know their numbers and their depth, for a policy, a log or a listener. */
    private final boolean numbered;

    /** True if each task has more than its builder declared: a number, or an observer of its body. */
    private final boolean watched;

    /** True if bodies are timed. The flag is here, where a worker looks anyway. */
    private final boolean timed;
    /** True if a policy is asked for edges. */
    private final boolean advised;
    /**
     * True if each task has an edge of its submitter's, so that it is not ready before the submitter removes that edge.
     */
    private final boolean held;
    /** The log of tasks and edges; null when the session does not keep its graphs. */
    private final @Nullable GraphLog log;

    /** The name of the resource that causes the next links, where tasks are numbered. Guarded by the lock. */
    private String label = "";
    /** True if that resource stands for a tag. Guarded by the lock. */
    private boolean tag;

    /**
     * At {@link #PLACE}, the number of edges of the task that is being submitted. Guarded by the lock. On cache lines
     * of its own, since workers read the other fields whenever a task ends.
     */
    private final int[] edges = new int[2 * PLACE];

    /** The tags of the scope's tasks; null when no task had a tag. Guarded by the lock. */
    private @Nullable Tags tags;

    /** The last synchronizing task, while it is not known to be over. Guarded by the lock. */
    private @Nullable TaskNode barrier;

    /**
     * Synchronizing tasks that wait for everything before them, in order. Changed under the lock with full volatile
     * writes. Read without the lock by a worker that ends a task, behind a full fence: the thread that adds a gate
     * reads the count of ended tasks afterwards, and the worker that counts an ended task looks for gates afterwards,
     * so one of them sees the other.
     */
    private @Nullable Gate gates;

    /** The last of {@link #gates}; without meaning when there is none. Guarded by the lock. */
    private @Nullable Gate lastGate;

    /**
     * The number of task ends on one worker between its checks if a wait for this scope's tasks is over, a power of
     * two; 0 while no thread waits. Written by {@link LiveWaits} under its monitor, read by workers behind the full
     * fence of a task's end.
     */
    volatile int lookEvery;

    Scope(TaskGraph graph, DependencyDomain domain, SpinLock lock) {
        this.graph = graph;
        this.domain = domain;
        this.lock = lock;
        this.watch = domain.watch;
        this.log = graph.log();
        this.advised = domain.dispatcher.wantsSubmissions();
        this.held = watch != null || advised;
        this.numbered = log != null || watch != null || domain.dispatcher.hasPolicy();
        this.watched = numbered || domain.checking() != null;
        this.timed = log != null || domain.dispatcher.trace().on();
    }

    /** Returns a number; when it differs from the last one, everything before is forgotten. Under the lock. */
    @Override
    public int epoch() {
        return 0;
    }

    /** Returns the tracker of {@code resource} in this scope. Under the lock. */
    abstract AccessTracker<TaskNode> tracker(Resource resource);

    /** Throws unless {@code task} may be submitted now. Under the lock. */
    abstract void requireOpen(TaskNode task);

    /** Counts a submitted task; returns the number of tasks submitted so far. Under the lock. */
    abstract long count();

    /** Returns the number of tasks submitted so far. Under the lock. */
    abstract long submitted();

    /** Returns the number of tasks that have ended; may lag behind, but never runs ahead. */
    abstract long ended();

    /** Counts a task that has ended in state {@code last}, while its links are still open. */
    abstract void end(WorkerContext worker, TaskState last);

    /** Returns the holders of the unordered resources. */
    abstract Exclusions<TaskNode, Outcome> exclusions();

    /**
     * Infers the task's edges, in the order of its accesses, and makes the task ready when no edge is left.
     *
     * <p>An exception before the task is registered leaves nothing behind. An error from then on, when memory or the
     * stack is full, may leave half a registration, behind which other tasks would wait for ever: such an error ends
     * the run.
     */
    void submit(TaskNode task, boolean special) {
        if (advised) {
            domain.requireNotAdvising(task.name());
        }
        boolean ready;
        long number;
        boolean registers = false;
        lock.lock();
        try {
            requireOpen(task);
            requireData(task);
            if (special) {
                probe(task);
                requireNoCycle(task);
            }
            registers = true;
            edges[PLACE] = held ? 1 : 0;
            number = register(task, special);
            ready = task.commit(edges[PLACE]);
        } catch (Throwable e) {
            if (registers) {
                domain.brokenBy = e; // a field, since there may be no stack left for a call
            }
            try {
                lock.unlock();
            } catch (Error full) {
                domain.brokenBy = full;
                lock.abandoned = true;
                throw full;
            }
            endWhenBroken(task);
            throw e;
        }
        boolean unlocked = false;
        try {
            lock.unlock();
            unlocked = true;
            release(task, ready);
            if (gates != null) { // a gate of this thread's own, or of a thread that looks itself
                openGates(null);
            }
            afterSubmission(number);
        } catch (Error e) { // the task is submitted, and may be in no queue
            domain.brokenBy = e;
            if (!unlocked) {
                lock.abandoned = true;
            }
            endWhenBroken(task);
            throw e;
        }
    }

    /** Releases {@code task}, which is submitted. Outside of the lock, since users' code is told of the task. */
    private void release(TaskNode task, boolean ready) {
        if (held) {
            if (advised) {
                askPolicy(task);
            }
            if (watch != null) {
                task.tellPending(); // before the task can be anything else
            }
            task.edgeGone(null);
        } else if (ready) {
            ready(task);
        }
    }

    /** Ends the run when a submission, probably that of {@code task}, has broken off half way. */
    private void endWhenBroken(TaskNode task) {
        if (domain.isBroken()) {
            domain.breakOff("the submission of task \"" + task.name() + "\" to graph \"" + graph.name() + "\"");
        }
    }

    /**
     * Throws if data of the task was freed since the task declared it. Freeing data first forbids access to it, and
     * then submits the last task that accesses it: so each task that would come behind that last task sees here that
     * the data was freed. Under the lock.
     */
    private void requireData(TaskNode task) {
        Extras extras = task.extras();
        if (extras == null || !extras.needsData) {
            return;
        }
        AccessList declared = task.declared();
        for (int i = 0; i < declared.size(); i++) {
            if (declared.resource(i) instanceof Data data) {
                Accesses.requireThere(task.name(), data, parent());
            }
        }
    }

    /** Makes a submitted task ready that waits for nothing. No lock is held. */
    void ready(TaskNode task) {
        task.readyOutside(domain.dispatcher);
    }

    /** Called after the submission of the {@code number}th task. No lock is held. */
    void afterSubmission(long number) {}

    /** Calls users' code of the task's accesses that may throw, before anything is registered. Under the lock. */
    final void probe(TaskNode task) {
        AccessList declared = task.declared();
        for (int i = 0; i < declared.size(); i++) {
            Resource resource = declared.resource(i);
            Access access = declared.access(i);
            if (access instanceof AreaAccess there) {
                requireSameAreas(task, resource, there);
            }
            if (!isOurs(access)) {
                requireLawful(task, resource, access);
                if (!resource.isUnordered()) {
                    tracker(resource).probe(access);
                }
            }
        }
        for (int i = 0; i < declared.size(); i++) {
            if (declared.access(i) instanceof AreaAccess there) {
                declared.resource(i)
                        .areas(there.area().dimensions(), there.area().isReal());
            }
        }
    }

    /** Returns true if the access is built in, so that its answers need not be checked. */
    private static boolean isOurs(Access access) {
        return access instanceof Mode
                || access instanceof TagAccess
                || (access instanceof AreaAccess && access.whole() instanceof Mode);
    }

    /**
     * Throws if a reading access conflicts with readers. Readers are not asked about each other, so the conflict would
     * be ignored.
     */
    private static void requireLawful(TaskNode task, Resource resource, Access access) {
        if (access.writes()) {
            return;
        }
        Access other = access.conflictsWith(access) ? access : access.conflictsWith(Mode.READ) ? Mode.READ : null;
        if (other != null) {
            throw new IllegalArgumentException("task \"" + task.name() + "\" accesses \"" + resource.name() + "\" by "
                    + access
                    + ", which breaks a law of Access: two accesses of which neither writes never conflict, and "
                    + access + " conflicts with an earlier " + other
                    + "; let writes() answer true, or conflictsWith(...) false");
        }
    }

    private static void requireSameAreas(TaskNode task, Resource resource, AreaAccess there) {
        int known = resource.dimensions();
        if (known != 0 && resource.hasRealAreas() != there.area().isReal()) {
            throw new IllegalArgumentException("task \"" + task.name() + "\" accesses the area " + there.area()
                    + " of \"" + resource.name() + "\", which has "
                    + coordinates(there.area().isReal())
                    + "; the areas accessed before have " + coordinates(resource.hasRealAreas())
                    + ": make all areas of one resource with Area.of, or all with Area.ofReals");
        }
        if (known != 0 && known != there.area().dimensions()) {
            throw new IllegalArgumentException("task \"" + task.name() + "\" accesses the area " + there.area()
                    + " of \"" + resource.name() + "\", which has "
                    + there.area().dimensions()
                    + " dimensions; the areas accessed before have " + known);
        }
    }

    /**
     * Throws if {@code task} would be the first member of a tag and, by an edge of its own, come after a task that
     * waits for that member. All other edges come from earlier tasks. Under the lock.
     */
    private void requireNoCycle(TaskNode task) {
        AccessList declared = task.declared();
        for (int i = 0; i < declared.size(); i++) {
            if (declared.resource(i) instanceof TagResource resource && declared.access(i) == TagAccess.MEMBER) {
                graph.tags().eachAwaited(awaited -> {
                    if (awaited.isFor(this, resource.tag())) {
                        awaited.requireNotBefore(task, barrier);
                    }
                });
            }
        }
    }

    private static String coordinates(boolean real) {
        return real ? "real coordinates" : "integer coordinates";
    }

    /** Adds all edges; returns the number of tasks submitted so far. Under the lock. */
    final long register(TaskNode task, boolean special) {
        Extras extras = task.extras();
        if (extras != null) {
            if (numbered) {
                extras.id = domain.nextId();
                logTask(task);
            }
            if (extras.synchronizing) {
                addGate(new Gate(task, submitted()));
            }
            for (TaskNode earlier : extras.after) {
                linkExplicitly(earlier, task, true, Kind.EXPLICIT);
            }
        }
        if (barrier != null) {
            waitForBarrier(task, barrier);
        }
        if (special) {
            waitForMakers(task);
            meetTags(task, extras);
        }
        try {
            if (special || extras != null || numbered || !mayStayLatent()) {
                task.meetTrackers();
            } else {
                domain.leaveLatent(task);
            }
        } catch (VirtualMachineError e) { // the tracker may be half changed
            throw e;
        } catch (RuntimeException | Error e) { // an access of a user's that breaks its laws, and threw only now
            withdraw(task, e);
        }
        enter(task);
        if (extras != null && extras.synchronizing) {
            barrier = task;
        }
        return count();
    }

    /** Makes the task fail with {@code why}, since an access threw where it must not. What was registered stays. */
    private static void withdraw(TaskNode task, Throwable why) {
        task.replaceBody(context -> {
            throw new IllegalStateException("an access of task \"" + task.name() + "\" breaks its laws: " + why, why);
        });
    }

    /** Notes missing members of tags that {@code task} comes after, and tells tasks that wait for its own tags. */
    private void meetTags(TaskNode task, @Nullable Extras extras) {
        AccessList declared = task.declared();
        for (int i = 0; i < declared.size(); i++) {
            if (declared.resource(i) instanceof TagResource resource && declared.access(i) == TagAccess.AFTER) {
                String tag = resource.tag();
                if (tags != null && tags.knows(tag)) {
                    continue;
                }
                if (extras == null || !extras.awaitedTags.contains(tag)) {
                    graph.tags().hasNoMembers(tag);
                } else if (graph.tags().await(new Tags.Awaited(this, tag, task))) {
                    edges[PLACE]++;
                }
            }
        }
        for (int i = 0; i < declared.size(); i++) {
            if (declared.resource(i) instanceof TagResource resource && declared.access(i) == TagAccess.MEMBER) {
                tags = tags == null ? new Tags() : tags;
                tags.add(resource.tag());
                graph.tags().has(this, resource.tag(), task);
            }
        }
    }

    private void logTask(TaskNode task) {
        if (log != null) {
            log.submitted(task, parent());
        }
    }

    /** Returns the task whose inside this is; null for a graph's own scope. */
    abstract @Nullable TaskNode parent();

    /** Returns true if all earlier tasks are over, so that the trackers would give no edges. Under the lock. */
    boolean mayStayLatent() {
        return false;
    }

    /** Adds the edges that are particular to a kind of scope. Under the lock. */
    void enter(TaskNode task) {}

    private void addGate(Gate gate) {
        edges[PLACE]++;
        Gate last = lastGate;
        lastGate = gate;
        if (gates == null || last == null) {
            GATES.setVolatile(this, gate);
        } else {
            last.next = gate;
        }
    }

    /** Puts {@code task} behind unfinished tasks that made, inside, a resource that it accesses. Under the lock. */
    private void waitForMakers(TaskNode task) {
        AccessList declared = task.declared();
        for (int i = 0; i < declared.size(); i++) {
            Origin origin = Origin.of(declared.resource(i));
            TaskNode maker = origin == null ? null : origin.enters(this);
            if (maker != null && maker != task && !maker.isOver()) {
                linkExplicitly(maker, task, declared.access(i).reads(), Kind.EXPLICIT);
            }
        }
    }

    private void waitForBarrier(TaskNode task, TaskNode last) {
        if (last.isOver()) {
            barrier = null;
        } else {
            linkExplicitly(last, task, false, Kind.BARRIER);
        }
    }

    @Override
    public final void link(TaskNode earlier, TaskNode later, boolean carriesFailure) {
        if (numbered) {
            later.deepen(earlier);
            log(earlier, later, tag ? Kind.TAG : Kind.IMPLICIT);
        }
        if (earlier.addLink(later, carriesFailure, false)) {
            edges[PLACE]++;
            LaunchAhead.linked(earlier, later);
        }
    }

    private void linkExplicitly(TaskNode earlier, TaskNode later, boolean carriesFailure, Kind kind) {
        if (numbered) {
            later.deepen(earlier);
            log(earlier, later, kind);
        }
        if (earlier.addLink(later, carriesFailure, true)) {
            edges[PLACE]++;
            LaunchAhead.linked(earlier, later);
        }
    }

    private void log(TaskNode earlier, TaskNode later, Kind kind) {
        if (log != null) {
            log.edge(earlier, later, kind, kind == Kind.IMPLICIT || kind == Kind.TAG ? label : "");
        }
    }

    /** Sets {@code resource} as the cause of the next links. Under the lock, and only where tasks are numbered. */
    final void because(Resource resource, boolean isTag) {
        label = resource.name();
        tag = isTag;
    }

    final boolean isNumbered() {
        return numbered;
    }

    final boolean timed() {
        return timed;
    }

    final boolean isWatched() {
        return watched;
    }

    /**
     * Lets the policy add edges. Outside of the lock, since a policy is users' code; an edge of the submitter's keeps
     * the task from becoming ready meanwhile.
     */
    private void askPolicy(TaskNode task) {
        domain.advise(task, earlier -> {
            if (!(earlier instanceof TaskNode before) || before.scope().lock != lock || before.id() < 0) {
                throw new IllegalArgumentException(
                        "\"" + earlier.name() + "\" is no task that was submitted beside \"" + task.name() + "\"");
            }
            if (before.id() >= task.id()) {
                throw new IllegalArgumentException("task \"" + task.name() + "\" cannot come after \"" + earlier.name()
                        + "\", which was not submitted before it");
            }
            lock.lock();
            try {
                if (domain.awaitsTags && Successors.find(task, each -> each == before) != null) {
                    return; // the policy cannot know that the earlier task waits for the new one, for its tag
                }
                task.deepen(before);
                log(before, task, Kind.POLICY);
                task.addEdge(before);
            } finally {
                lock.unlock();
            }
        });
    }

    /** Counts an edge whose earlier end is not a task. Under the lock. */
    final void countEdge() {
        edges[PLACE]++;
    }

    @Override
    public final boolean isForgotten(TaskNode earlier, boolean wrote) {
        return log == null && earlier.isForgotten(wrote);
    }

    /**
     * Returns the first gate right now, or null. For threads that look from outside, without the lock: they may miss
     * the gates behind it.
     */
    final @Nullable Gate gatesNow() {
        return (Gate) GATES.getVolatile(this);
    }

    final boolean hasGates() {
        return (Gate) GATES.getVolatile(this) != null;
    }

    /** Called when a task has ended on {@code worker} while {@link #lookEvery} was {@code every}, more than 0. */
    void looksAtEnd(WorkerContext worker, int every) {}

    /**
     * Releases the synchronizing tasks for which everything before is over. {@code context} is null outside of workers.
     */
    final void openGates(@Nullable WorkerContext context) {
        for (Gate gate = takeOpenGate(); gate != null; gate = takeOpenGate()) {
            gate.task.edgeGone(context);
        }
    }

    private @Nullable Gate takeOpenGate() {
        Gate first = (Gate) GATES.getVolatile(this);
        if (first == null || ended() < first.before) {
            return null;
        }
        lock.lock();
        try {
            first = gates;
            if (first == null || ended() < first.before) {
                return null;
            }
            GATES.setVolatile(this, first.next);
            if (first.next == null) {
                lastGate = null; // keeps no task alive
            }
            return first;
        } finally {
            lock.unlock();
        }
    }
}
