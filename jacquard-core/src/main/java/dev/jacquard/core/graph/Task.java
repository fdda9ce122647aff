package dev.jacquard.core.graph;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.data.Handle;
import dev.jacquard.core.data.Resource;
import dev.jacquard.core.depend.Dependents;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * A task of a graph: a node that waits for earlier tasks, runs a body, and lets later ones go.
 *
 * <p>The protocol, for one submitter and any number of workers:
 *
 * <pre>
 *  submitter                                      worker that ends an earlier task E
 *    waiting = BIAS                                 E.links.getAndSet(CLOSED)
 *    per conflict: CAS a link onto E.links          per link: later.waiting -= 1
 *    waiting += edges - BIAS                        who brings it to 0 makes the task ready
 *    who brings it to 0 makes the task ready
 * </pre>
 *
 * A link is either in the list when it is closed, and counted down, or the CAS fails, and the edge is not counted. While the
 * bias stands no worker can bring the counter to 0. Whoever brings it there sees everything that the earlier tasks did: each
 * of them changed the counter by a read-modify-write after its body.
 */
final class Task extends Node implements Result<@Nullable Void>, TaskContext {
    private static final int READY = TaskState.READY.code();
    private static final int RUNNING = TaskState.RUNNING.code();

    /** More than any number of edges. */
    private static final int BIAS = 1 << 30;

    private static final VarHandle WAITING;
    private static final VarHandle LINKS;
    private static final VarHandle STATE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WAITING = lookup.findVarHandle(Task.class, "waiting", int.class);
            LINKS = lookup.findVarHandle(Task.class, "links", Link.class);
            STATE = lookup.findVarHandle(Task.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final TaskGraph graph;
    private final String name;

    /** Resource and access in turn. Nulled by the worker when the task is over: the next submission may still see the task. */
    private @Nullable Object @Nullable [] accesses;

    /** What to run. Nulled like {@link #accesses}. */
    private @Nullable TaskBody body;

    /** Earlier tasks that are not over. Written by the submitter and by workers, see above. */
    @SuppressWarnings("unused") // through its VarHandle
    private int waiting;

    /** Edges that the submitter has added. Submitter only. */
    private int edges;

    /** The later tasks' links, newest first; {@link Link#CLOSED} when the task is over. CAS and getAndSet, see above. */
    @SuppressWarnings("unused") // through its VarHandle
    private @Nullable Link links;

    /**
     * Why the task cannot run. Written by whoever ends an earlier task, before it counts down, or by the submitter; of several
     * any may stay. Read by the worker that runs the task, which the countdown orders behind all of them.
     */
    private @Nullable Outcome cause;

    /** How it ended, null when well. Written by its worker before {@link #links} is closed, read after. */
    private @Nullable Outcome outcome;

    /**
     * For those who look from outside: a {@link TaskState}'s code, as a number, since each write of a reference costs the
     * collector's barrier too. Written opaquely by whoever moves the task on, one at a time.
     */
    @SuppressWarnings("unused") // through its VarHandle
    private int state;

    /** Who runs it. Written by that worker before the body runs. */
    private int worker;

    /** Somebody waits for this task alone. Written by the waiter, read by the worker after the list is closed. */
    private volatile boolean awaited;

    Task(TaskGraph graph, String name, @Nullable Object[] accesses, TaskBody body) {
        this.graph = graph;
        this.name = name;
        this.accesses = accesses;
        this.body = body;
        this.waiting = BIAS;
    }

    // ---- submission

    /** Meets the trackers of its resources, in the order of its accesses. Submitter only. */
    void register(Dependents<Task> links) {
        @Nullable Object[] declared = Objects.requireNonNull(accesses);
        for (int i = 0; i < declared.length; i += 2) {
            Resource resource = (Resource) Objects.requireNonNull(declared[i]);
            Access access = (Access) Objects.requireNonNull(declared[i + 1]);
            TaskGraph.track(resource, access, this, links);
        }
    }

    /** Adds an edge from {@code earlier} to this task unless that one is over. Submitter only. */
    void waitFor(Task earlier, boolean carriesFailure) {
        Link link = null;
        for (Link head = (Link) LINKS.getAcquire(earlier); ; head = (Link) LINKS.getAcquire(earlier)) {
            if (head == Link.CLOSED) {
                if (carriesFailure && earlier.outcome != null) {
                    cancelBecause(earlier.outcome);
                }
                return;
            }
            link = link == null ? new Link(this, carriesFailure) : link;
            link.next = head;
            // Release of the link, against the getAndSet in release(): the worker sees what the link holds.
            if (LINKS.compareAndSet(earlier, head, link)) {
                edges++;
                return;
            }
        }
    }

    /** Whether the task is over and later accesses need not know of it. Submitter only. */
    boolean isForgotten(boolean wrote) {
        return isOver() && !(wrote && outcome != null);
    }

    /** All edges are there: takes the bias away, and tells whether the task is ready already. Submitter only. */
    boolean commit() {
        if (edges == 0) {
            waiting = 0; // nobody else knows of this task
            return true;
        }
        return (int) WAITING.getAndAdd(this, edges - BIAS) == BIAS - edges;
    }

    /** The submission failed half-way: what was registered stays, the task will end without running. Submitter only. */
    void withdraw() {
        body = null;
    }

    // ---- run

    @Override
    public void run(WorkerContext context) {
        Outcome because = cause;
        TaskBody work = body;
        if (because != null) {
            end(context, TaskState.CANCELLED, Outcome.cancelled(name, because));
        } else if (work == null) {
            end(context, TaskState.CANCELLED, null);
        } else if (graph.isCancelled()) {
            end(context, TaskState.CANCELLED, Outcome.cancelled(name, null));
        } else {
            runBody(context, work);
        }
    }

    private void runBody(WorkerContext context, TaskBody work) {
        worker = context.index();
        STATE.setOpaque(this, RUNNING);
        boolean traced = graph.traced();
        long start = traced ? graph.nanoTime() : 0;
        Throwable error = null;
        try {
            work.run(this);
        } catch (Throwable e) {
            error = e;
        }
        if (traced) {
            graph.span(context, name, start);
        }
        if (error == null) {
            end(context, TaskState.DONE, null);
        } else {
            end(context, TaskState.FAILED, Outcome.failed(name, error, details(context)));
        }
    }

    private void end(WorkerContext context, TaskState last, @Nullable Outcome how) {
        if (how != null) {
            graph.keep(how); // before anything that this lets go: a graph that stops starts none of it
            outcome = how;
        }
        accesses = null;
        body = null;
        STATE.setOpaque(this, last.code());
        release(context, how);
        graph.ended(context, last);
        if (awaited) {
            graph.signal();
        }
    }

    /** Closes the list and counts the later tasks down; of those that become ready the first submitted is to run next. */
    private void release(WorkerContext context, @Nullable Outcome how) {
        // One read-modify-write: takes the links (acquire, pairs with the CAS in waitFor) and publishes outcome
        // (release, pairs with the acquire there). As a full fence it also stands between the list's end and
        // the read of `awaited`.
        Link link = (Link) LINKS.getAndSet(this, Link.CLOSED);
        for (; link != null; link = link.next) {
            Task later = Objects.requireNonNull(link.later);
            if (how != null && link.carriesFailure) {
                later.cancelBecause(how);
            }
            if (later.countDown()) {
                STATE.setOpaque(later, READY);
                context.readyAtEnd(later);
            }
        }
    }

    private boolean countDown() {
        // A counter of 1 is this caller's own: nobody else will change it. Acquire: pairs with the others' getAndAdd.
        return (int) WAITING.getAcquire(this) == 1 || (int) WAITING.getAndAdd(this, -1) == 1;
    }

    private void cancelBecause(Outcome because) {
        cause = because;
    }

    private String details(WorkerContext context) {
        StringBuilder text = new StringBuilder("worker ").append(context.index());
        @Nullable Object[] declared = Objects.requireNonNull(accesses);
        try {
            for (int i = 0; i < declared.length; i += 2) {
                text.append(i == 0 ? " (" : ", ")
                        .append(declared[i + 1])
                        .append(' ')
                        .append(declared[i]);
            }
        } catch (RuntimeException e) { // of an access that users wrote
            text.append(" [an access whose toString failed: ").append(e).append(']');
        }
        return declared.length == 0 ? text.toString() : text.append(')').toString();
    }

    // ---- as its body sees it

    @Override
    public <T> T get(Handle<T> handle) {
        @Nullable Object[] declared = accesses;
        if (declared == null) {
            throw new IllegalStateException("task \"" + name + "\" is over: its context must not be kept");
        }
        for (int i = 0; i < declared.length; i += 2) {
            if (declared[i] == handle) {
                return handle.value();
            }
        }
        throw new IllegalArgumentException("task \"" + name + "\" touches \"" + handle.name()
                + "\" without a declared access: declare it with reads, updates, writes or accesses");
    }

    @Override
    public int worker() {
        return worker;
    }

    @Override
    public boolean cancelled() {
        return graph.isCancelled();
    }

    // ---- as others see it

    @Override
    public String name() {
        return name;
    }

    @Override
    public TaskState state() {
        return TaskState.of((int) STATE.getOpaque(this));
    }

    @Override
    @SuppressWarnings("NullAway") // a task without a result has null
    public @Nullable Void join() {
        awaitEnd();
        return null;
    }

    /** Waits until the task is over; throws when it did not end well. */
    void awaitEnd() {
        awaited = true;
        graph.await(this::isOver, "task \"" + name + '"');
        Outcome how = outcome;
        if (how != null) {
            Outcome root = how.root();
            if (root == null) {
                throw new CancellationException("task \"" + name + "\" was cancelled with its graph before it started");
            }
            throw TaskFailedException.of(root, how.isFailure() ? "" : "\n  so " + how.path() + " was cancelled");
        }
    }

    private boolean isOver() {
        return (Link) LINKS.getAcquire(this) == Link.CLOSED; // pairs with the getAndSet in release(): outcome is seen
    }

    void markReady() {
        STATE.setOpaque(this, READY);
    }

    @Override
    public String toString() {
        return name;
    }
}
