package dev.jacquard.core.graph;

import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Resource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A task of a graph: a node that waits for earlier tasks, runs a body, and releases later tasks.
 *
 * <p>The protocol, between submitters that take turns under the lock of their scope, and any number of workers:
 *
 * <pre>
 *  submitter                                      worker that ends an earlier task E
 *    waiting = BIAS                                 E.links.getAndSet(CLOSED)
 *    per conflict: CAS a link onto E.links          per link: later.waiting -= 1
 *    waiting += edges - BIAS                        if later.waiting is 0 now: make it ready
 *    if waiting is 0 now: make the task ready
 * </pre>
 *
 * A link is either in the list when the list is closed, and counted down, or the CAS fails, and the edge is not
 * counted. While the bias stands no worker can bring the counter to 0. The thread that brings it there later sees all
 * that the earlier tasks did: each changed the counter by a read-modify-write after its body.
 *
 * <p>All state is in this class, with the steps of every task. Steps of few tasks are in {@link SlowPath},
 * {@link Demotions} and {@link AsyncCompletion}, which change the state through this class.
 */
final class TaskNode extends RunningTask {
    /** A count greater than any number of edges. */
    private static final int BIAS = 1 << 30;

    private static final VarHandle WAITING;
    private static final VarHandle LINKS;
    private static final VarHandle STATE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WAITING = lookup.findVarHandle(TaskNode.class, "waiting", int.class);
            LINKS = lookup.findVarHandle(TaskNode.class, "links", Link.class);
            STATE = lookup.findVarHandle(TaskNode.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Scope scope;
    private final String name;

    /**
     * The accesses: resource and access in turn. Replaced by a demotion, under the scope's lock. Nulled by the worker
     * when the task is over: the next submission may still see the task.
     */
    private @Nullable Object @Nullable [] accesses;

    /**
     * The body to run. Written by the submitter and by the worker that makes the task ready again, and nulled like
     * {@link #accesses}.
     */
    private @Nullable TaskBody body;

    /** The fields that only few tasks need. Written before the submission, or by the body's thread. */
    private @Nullable Extras extras;

    /** The number of earlier tasks that are not over. Written by the submitter and by workers, see above. */
    @SuppressWarnings("unused") // through its VarHandle
    private int waiting;

    /**
     * The later tasks' links, newest first; {@link Link#CLOSED} when the task is over. CAS and getAndSet, see above.
     */
    @SuppressWarnings("unused") // through its VarHandle
    private @Nullable Link links;

    /**
     * Until the task runs, the reason why it cannot run: written by a worker that ends an earlier task, before it
     * counts down, or by the submitter; of several reasons any may stay; read by the worker that runs the task, which
     * the countdown orders behind all of these writes. From then on the outcome of the task, null when it ended well:
     * written by its worker before {@link #links} is closed, read after.
     */
    private @Nullable Outcome fate;

    /**
     * The code of a {@link TaskState}, for threads that look from outside. A number, since each write of a reference
     * also costs the collector's barrier. Written opaquely by the threads that move the task on, one at a time.
     */
    @SuppressWarnings("unused") // through its VarHandle
    private int state;

    /** The worker that runs the task. Written by that worker before the body, or what follows an asynchronous part. */
    private int worker;

    /** Tasks before this one on the longest path, where tasks are numbered. Under the scope's lock, until ready. */
    private short depth;

    TaskNode(Scope scope, String name, @Nullable Object[] accesses, TaskBody body, @Nullable Extras extras) {
        this.scope = scope;
        this.name = name;
        this.accesses = accesses;
        this.body = body;
        this.extras = extras;
        this.waiting = BIAS;
        if (extras != null) {
            place(extras.place);
        }
    }

    // ---- properties

    @Override
    public String name() {
        return name;
    }

    @Override
    Scope scope() {
        return scope;
    }

    @Override
    @Nullable
    Extras extras() {
        return extras;
    }

    @Override
    Extras ownExtras() {
        Extras mine = extras;
        if (mine == null) {
            mine = new Extras();
            extras = mine;
        }
        return mine;
    }

    @Override
    public int depth() {
        return depth;
    }

    @Override
    public int worker() {
        return worker;
    }

    /** Sets the worker that runs the task. Called by that worker, before it goes on with the task. */
    void runBy(int index) {
        worker = index;
    }

    TaskBody body() {
        return Objects.requireNonNull(body);
    }

    /** Replaces the body. Called by the submitter, or by the worker that makes the task ready again. */
    void replaceBody(@Nullable TaskBody rest) {
        body = rest;
    }

    @Override
    @Nullable
    AccessList accessesNow() {
        @Nullable Object[] known = accesses;
        return known == null ? null : AccessList.wrap(known);
    }

    /** Replaces the accesses by those that a demotion leaves. Under the scope's lock. */
    void declare(AccessList left) {
        accesses = left.unwrap();
    }

    // ---- submission, under the scope's lock

    /** Makes this task deeper than {@code earlier}. */
    void deepen(TaskNode earlier) {
        depth = (short) Math.max(depth, Math.min(Short.MAX_VALUE, earlier.depth + 1));
    }

    /** Calls the trackers of the resources, in the order of accesses; returns false if the accesses are gone. */
    boolean meetTrackers() {
        @Nullable Object[] declared = accesses; // no list is made: each submission comes here
        if (declared == null) {
            return false;
        }
        Scope links = scope;
        for (int i = 0; i < declared.length; i += 2) {
            Resource resource = (Resource) Objects.requireNonNull(declared[i]);
            if (!resource.isUnordered()) {
                Access access = (Access) Objects.requireNonNull(declared[i + 1]);
                if (links.isNumbered()) {
                    links.because(resource, access instanceof TagAccess);
                }
                links.tracker(resource).submit(this, access, links);
            }
        }
        return true;
    }

    /**
     * Makes this task, which is not ready, wait for {@code earlier} too, unless that task is over. Under the scope's
     * lock, after {@link #commit}.
     */
    void addEdge(TaskNode earlier) {
        WAITING.getAndAdd(this, 1); // before the link: the earlier task may be over at once
        if (!earlier.addLink(this, false, true)) {
            WAITING.getAndAdd(this, -1); // not the last: one edge is the submitter's
        }
    }

    /** Makes {@code later} wait for this task, unless this one is over. Returns true if there is an edge now. */
    boolean addLink(TaskNode later, boolean carriesFailure, boolean explicit) {
        Link link = null;
        for (Link head = (Link) LINKS.getAcquire(this); ; head = (Link) LINKS.getAcquire(this)) {
            if (head == Link.CLOSED) {
                Outcome how = carriesFailure ? fate : null;
                if (how != null) {
                    later.cancelBecause(later.scope.graph.failures().asOfNow(how));
                }
                return false;
            }
            link = link == null ? new Link(later, carriesFailure, explicit) : link;
            link.next = head;
            // Release of the link, against the getAndSet in release(): the worker sees what the link holds.
            if (LINKS.compareAndSet(this, head, link)) {
                return true;
            }
        }
    }

    /** Adds {@code link}, to be told of the task's end; returns false if the task is over already. Any thread. */
    boolean tell(Link link) {
        requireLive();
        for (Link head = (Link) LINKS.getAcquire(this); head != Link.CLOSED; head = (Link) LINKS.getAcquire(this)) {
            link.next = head;
            if (LINKS.compareAndSet(this, head, link)) {
                return true;
            }
        }
        return false;
    }

    /** Takes the bias away, since all edges are there. Returns true if the task is ready already. */
    boolean commit(int edges) {
        if (edges == 0) {
            waiting = 0; // no other thread knows of this task
            return true;
        }
        return (int) WAITING.getAndAdd(this, edges - BIAS) == BIAS - edges;
    }

    // ---- on the way to run

    void cancelBecause(Outcome because) {
        fate = because;
    }

    /** Counts one edge down; returns true if that was the last. */
    boolean countDown() {
        // A counter of 1 is this caller's own: no other thread changes it, but for hold().
        // Acquire: pairs with the others' getAndAdd.
        return ((int) WAITING.getAcquire(this) == 1 && !isAdjustable()) || (int) WAITING.getAndAdd(this, -1) == 1;
    }

    /** Returns the number of unfinished earlier tasks; a very large number before all edges are there. */
    int waiting() {
        return (int) WAITING.getVolatile(this);
    }

    private boolean isAdjustable() {
        return extras != null && extras.adjustable;
    }

    /** Keeps a pending adjustable task pending until {@link #edgeGone}. Returns false if the task is ready already. */
    boolean hold() {
        for (int edges = (int) WAITING.getAcquire(this); edges > 0; edges = (int) WAITING.getAcquire(this)) {
            if (WAITING.compareAndSet(this, edges, edges + 1)) {
                return true;
            }
        }
        return false;
    }

    /** Counts one edge down; the last makes the task ready. {@code context} is null outside of workers. */
    void edgeGone(@Nullable WorkerContext context) {
        if (countDown()) {
            becomeReady(context);
        }
    }

    /** Makes the task ready, since its submitter knows that nothing is left to wait for. */
    void readyOutside(Dispatcher dispatcher) {
        become(TaskState.READY, null);
        dispatcher.ready(this);
    }

    private void becomeReady(@Nullable WorkerContext context) {
        if (isAdjustable()) {
            Demotions.becomeReadySmaller(this, context);
        } else {
            announce(context);
        }
    }

    /** Makes the task ready, since nothing is left to wait for. {@code context} is null outside of workers. */
    void announce(@Nullable WorkerContext context) {
        if (context == null) {
            readyOutside(scope.domain.dispatcher);
        } else {
            become(TaskState.READY, context);
            context.readyAtEnd(this);
        }
    }

    /** Tells that the task is pending. The submitter's own edge keeps the counter above 0 until {@link #edgeGone}. */
    void tellPending() {
        become(TaskState.PENDING, null);
    }

    /** Sets the state and tells the observer. {@code context} is null outside of workers. */
    void become(TaskState next, @Nullable WorkerContext context) {
        StateObserver watch = scope.watch;
        boolean news = watch != null && (next == TaskState.PENDING || state() != next); // afterwards is not told
        STATE.setOpaque(this, next.code());
        if (watch != null && news) {
            watch.changed(this, next, context);
        }
    }

    // ---- run

    @Override
    public void run(WorkerContext context) {
        if (extras != null && extras.adjustable) {
            extras.starts();
        }
        if (extras != null && extras.unordered && !extras.holds && !SlowPath.takeUnordered(this, extras)) {
            return; // made ready again by the task that holds what it needs
        }
        Outcome because = fate;
        if (because != null) {
            SlowPath.neverRun(this, context, Outcome.cancelled(name, because));
        } else if (scope.graph.isCancelled()) {
            SlowPath.neverRun(this, context, SlowPath.stopped(this, extras));
        } else if (extras == null || !extras.staged || SlowPath.isInPlace(this, extras)) {
            runBody(context, Objects.requireNonNull(body));
        }
    }

    private void runBody(WorkerContext context, TaskBody work) {
        worker = context.index();
        become(TaskState.RUNNING, context);
        Throwable error = scope.timed() ? callTimed(context, work) : call(work);
        if (extras == null && error == null) {
            end(context, TaskState.DONE, null);
        } else {
            SlowPath.bodyOver(this, context, error);
        }
    }

    /** Runs the body; returns what the body threw, or null. */
    private @Nullable Throwable call(TaskBody work) {
        try {
            if (extras != null) {
                SlowPath.begin(this, extras);
            }
            work.run(this);
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    private @Nullable Throwable callTimed(WorkerContext context, TaskBody work) {
        long start = context.lane().beginTask();
        Throwable error = call(work);
        scope.graph.bodyEnded(context, this, start);
        return error;
    }

    /**
     * Sets the outcome of the body, while sub-tasks go on; read after the end of the last of them. By the task's
     * worker.
     */
    void fate(@Nullable Outcome how) {
        fate = how;
    }

    /** Decides that the task will fail with {@code how}, before its code has ended. By the timers' thread. */
    void decide(Outcome how) {
        Objects.requireNonNull(extras).told = how; // volatile: a thread that adds a link from here on looks itself
    }

    /** Tells the links of waiting threads that the end is known. Called after {@link #decide}. */
    void tellDecided() {
        for (Link link = laterTasks(); link != null; link = link.next) {
            link.decided();
        }
        scope.domain.dispatcher.signal();
    }

    /**
     * Ends the task, whose parts are all over, and the tasks around it whose last part it was. A loop, since refined
     * tasks nest to any depth. By the worker that ended the last of the parts.
     */
    void end(WorkerContext context, TaskState last, @Nullable Outcome how) {
        TaskNode around = endAlone(context, last, how);
        while (around != null) {
            around = SlowPath.partsOver(around, context);
        }
    }

    /** Ends the task. Returns the refined task whose last part it was; null when there is none. */
    @Nullable
    TaskNode endAlone(WorkerContext context, TaskState last, @Nullable Outcome how) {
        if (how != null) {
            scope.graph.keep(how); // before any later task is released: a graph that stops starts none of them
        }
        if (how != null || fate != null) {
            fate = how;
        }
        if (how != null) {
            scope.domain.keepLatent(this);
            scope.graph.tags().keep(accessesUnlessOver());
        }
        @Nullable List<TaskNode> granted = extras == null ? null : SlowPath.letGo(this, extras, how);
        accesses = null;
        body = null;
        become(last, context);
        // Counted before the list is closed: closing is a full fence between the count and the look for gates.
        scope.end(context, last);
        release(context, how);
        if (granted != null) {
            granted.forEach(context::ready);
        }
        if (scope.hasGates()) {
            scope.openGates(context);
        }
        int every = scope.lookEvery;
        if (every != 0) {
            scope.looksAtEnd(context, every);
        }
        return scope instanceof Refinement inside && inside.subTaskOver(how) ? inside.parent() : null;
    }

    /**
     * Closes the list and counts the later tasks down. Of the tasks that become ready the first submitted is to run
     * next.
     */
    private void release(WorkerContext context, @Nullable Outcome how) {
        // One read-modify-write: takes the links (acquire, pairs with the CAS in addLink) and publishes
        // fate (release, pairs with the acquire there). As a full fence it also stands between the count of
        // the task's end and the looks at gates and waits.
        Link link = (Link) LINKS.getAndSet(this, Link.CLOSED);
        for (; link != null; link = link.next) {
            TaskNode later = link.later;
            if (later == null) {
                link.over(context);
            } else if (!link.fired) {
                if (how != null && link.carriesFailure) {
                    later.cancelBecause(how);
                }
                if (later.countDown()) {
                    later.becomeReady(context);
                }
            }
        }
    }

    // ---- for threads that look from outside, while workers go on

    @Override
    @Nullable
    Link laterTasks() {
        Link link = (Link) LINKS.getAcquire(this); // pairs with the CAS in addLink: what the link holds is seen
        return link == Link.CLOSED ? null : link;
    }

    @Override
    @Nullable
    Outcome fate() {
        return fate;
    }

    @Override
    boolean isOver() {
        return (Link) LINKS.getAcquire(this) == Link.CLOSED; // pairs with the getAndSet in release(): fate is seen
    }

    @Override
    public TaskState state() {
        return TaskState.of((int) STATE.getOpaque(this));
    }

    @Override
    void awaitEnd() {
        requireLive();
        if (scope.domain.dispatcher.isInsideNode()) {
            requireBefore(scope.domain.dispatcher.current());
        }
        if (!isDecided()) {
            String what = "task \"" + name + '"';
            requireNobodyBefore(what);
            TaskWait wait = TaskWait.of(this);
            if (tell(new ToldLink(wait::end)) && !isDecided()) {
                wait.await(what);
            }
        }
        RuntimeException failure = failure();
        if (failure != null) {
            scope.graph.failures().tell(ending());
            throw failure;
        }
    }

    /** Throws unless {@code node}, which the calling thread runs, starts only when this task is over. */
    private void requireBefore(@Nullable Node node) {
        boolean explicitly = node instanceof TaskNode task && task.extras != null && task.extras.after.contains(this);
        boolean partOf = scope instanceof Refinement inside
                && inside.parent() == node
                && inside.parent().refinementNow() != inside; // that task does the work left to do after its parts
        if (!explicitly && !partOf) {
            throw new IllegalStateException("the code of a task must not wait for task \"" + name
                    + "\", not even when that happens to be over: let the task that asks come after(...) it,"
                    + " or submit what comes after as a task of its own");
        }
    }

    /** Throws if the task cannot be over before the calling thread closes a view, or ends a function. */
    private void requireNobodyBefore(String what) {
        scope.domain.views().requireNoneBefore(this, what);
        DrivenFunction.requireNoneBefore(this, what);
    }

    /** Waits until {@code done}, which changes at the task's end, or by a thread that signals the dispatcher. */
    void awaitUntil(BooleanSupplier done, String what) {
        requireNobodyBefore(what);
        boolean _ =
                tell(new ToldLink(scope.domain.dispatcher::signal)); // if the task is over already, no signal is needed
        TaskWait.until(scope.domain, done, what);
    }
}
