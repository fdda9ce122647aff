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
 * Where tasks order themselves by their accesses: a graph, or the inside of a refined task.
 *
 * <p>A submission is one section under the lock: everything that can fail first, then all edges, then the task counts.
 * So it happens as a whole or not at all, and several submitters agree on one order.
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
    /** Null when nobody wants to know of changes of state. */
    final @Nullable StateObserver watch;

    /** Whether tasks know their numbers and their depth, for a policy, a log or a listener. */
    private final boolean numbered;

    /** Whether each task has more than its builder said: a number, or somebody who watches its body. */
    private final boolean watched;

    /** Whether bodies are timed. Here, where a worker looks anyway. */
    private final boolean timed;
    /** Whether a policy is asked for edges. */
    private final boolean advised;
    /**
     * True if each task has an edge of its submitter's, so that it becomes ready only when that takes the edge away.
     */
    private final boolean held;
    /** Null when the graph does not remember itself. */
    private final @Nullable GraphLog log;

    /** What the next links are because of, where tasks are numbered. Guarded by the lock. */
    private String label = "";
    /** Likewise: whether that stands for a tag. */
    private boolean tag;

    /**
     * At {@link #PLACE}: edges of the task that is being submitted. Guarded by the lock. On lines of its own, since
     * workers read the other fields here whenever a task ends.
     */
    private final int[] edges = new int[2 * PLACE];

    /** The tags of its tasks; null when none had one. Guarded by the lock. */
    private @Nullable Tags tags;

    /** The last synchronizing task, while it is not known to be over. Guarded by the lock. */
    private @Nullable TaskNode barrier;

    /**
     * Synchronizing tasks that wait for everything before them, in order. Changed under the lock with full volatile
     * writes. Read without by whoever ends a task, behind a full fence: who adds a gate looks at the count of ended
     * tasks after, who ends a task looks for gates after, so one of them sees the other.
     */
    private @Nullable Gate gates;

    /** The last of {@link #gates}; anything when there is none. Guarded by the lock. */
    private @Nullable Gate lastGate;

    /**
     * How many ends of a worker lie between its looks at whether a wait for this scope's tasks is over, a power of two;
     * 0 while no thread waits. Written by {@link LiveWaits} under its monitor, read by workers behind the full fence of
     * a task's end.
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

    /** Says that everything before is forgotten when it differs from the last. Under the lock. */
    @Override
    public int epoch() {
        return 0;
    }

    /** The tracker of {@code resource} in this scope. Under the lock. */
    abstract AccessTracker<TaskNode> tracker(Resource resource);

    /** Throws unless {@code task} may be submitted now. Under the lock. */
    abstract void requireOpen(TaskNode task);

    /** A task was submitted: how many were now. Under the lock. */
    abstract long count();

    /** How many were submitted. Under the lock. */
    abstract long submitted();

    /** How many tasks have ended; never more than have. */
    abstract long ended();

    /** A task has ended like this, and its links are still open. */
    abstract void end(WorkerContext worker, TaskState last);

    /** Who holds what of the unordered resources. */
    abstract Exclusions<TaskNode, Outcome> exclusions();

    /**
     * Infers the task's edges, in the order of its accesses, and makes it ready when there are none left.
     *
     * <p>What throws before the task is registered leaves nothing behind. What throws from then on, memory or the stack
     * being full, may leave half a registration, behind which others would wait for ever: it ends the run.
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
            if (gates != null) { // one of this thread's own, or of one that looks itself
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

    /** Lets {@code task} go, which is submitted. Outside of the lock, since users' code is told of it. */
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
     * Throws if data of the task's was freed since it was declared. Who frees data forbids to access it, and then
     * submits the last task that does: so this is seen here by all that would come behind that one. Under the lock.
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

    /** A task was submitted that waits for nothing, and no lock is held. */
    void ready(TaskNode task) {
        task.readyOutside(domain.dispatcher);
    }

    /** A task was submitted, the {@code number}th, and no lock is held. */
    void afterSubmission(long number) {}

    /** Asks everything that may throw. Under the lock. */
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

    /** True if its answers need not be checked: they are not a user's. */
    private static boolean isOurs(Access access) {
        return access instanceof Mode
                || access instanceof TagAccess
                || (access instanceof AreaAccess && access.whole() instanceof Mode);
    }

    /** Readers are not asked about each other, so one that conflicts with readers would be ignored. */
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
     * waits for that member: all other edges lead to earlier tasks. Under the lock.
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

    /** Adds all edges; tells how many tasks were submitted. Under the lock. */
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
        } catch (RuntimeException | Error e) { // an access that breaks its laws, and threw only now
            withdraw(task, e);
        }
        enter(task);
        if (extras != null && extras.synchronizing) {
            barrier = task;
        }
        return count();
    }

    /** An access failed where it must not: what was registered stays, and the task will fail with that. */
    private static void withdraw(TaskNode task, Throwable why) {
        task.replaceBody(context -> {
            throw new IllegalStateException("an access of task \"" + task.name() + "\" breaks its laws: " + why, why);
        });
    }

    /** Looks for members of the tags that {@code task} is to come after, and lets those know which wait for one. */
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

    /** The task whose inside this is; null for a graph's own. */
    abstract @Nullable TaskNode parent();

    /**
     * Whether nothing that is not over was submitted before, so that the trackers have nothing to say. Under the lock.
     */
    boolean mayStayLatent() {
        return false;
    }

    /** More edges of a kind of scope. Under the lock. */
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

    /**
     * Puts {@code task} behind tasks that are not over, inside which something was made that it accesses. Under the
     * lock.
     */
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

    /** The next links are because of {@code resource}. Under the lock, and only where tasks are numbered. */
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
     * Lets the policy add edges. Outside of the lock: it is users' code. The task has an edge of its submitter's
     * meanwhile.
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
                    return; // the policy cannot know that this one waits for the new one, as for a member of its tag
                }
                task.deepen(before);
                log(before, task, Kind.POLICY);
                task.addEdge(before);
            } finally {
                lock.unlock();
            }
        });
    }

    /** An edge whose earlier end is not a task. Under the lock. */
    final void countEdge() {
        edges[PLACE]++;
    }

    @Override
    public final boolean isForgotten(TaskNode earlier, boolean wrote) {
        return log == null && earlier.isForgotten(wrote);
    }

    /**
     * The first gate right now. For who looks from outside: what comes behind it is read without the lock, and may be
     * missed.
     */
    final @Nullable Gate gatesNow() {
        return (Gate) GATES.getVolatile(this);
    }

    final boolean hasGates() {
        return (Gate) GATES.getVolatile(this) != null;
    }

    /** A task has ended on {@code worker} while {@link #lookEvery} was {@code every}, more than 0. */
    void looksAtEnd(WorkerContext worker, int every) {}

    /**
     * Lets those synchronizing tasks go before which everything is over. {@code context} is null outside of workers.
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
