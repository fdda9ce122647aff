package dev.jacquard.engine;

import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.base.concurrent.WorkDeque;
import dev.jacquard.base.trace.TraceLane;
import dev.jacquard.engine.schedule.Aging;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.NodeVisitor;
import dev.jacquard.engine.work.ThreadFunction;
import dev.jacquard.engine.work.Wait;
import dev.jacquard.engine.work.WaitFlag;
import dev.jacquard.engine.work.WorkerContext;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * All fields of a worker, and the worker as other threads see it: how it is woken, and its activity.
 *
 * <p>The fields stand in one class, in one order, because the time of a step depends on their places in memory.
 * {@link NodeFinder} says where the next node comes from, {@link Worker} runs it. All fields but {@link #sleeping} and
 * the deque are confined to the thread that calls {@link Worker#step}, unless stated otherwise.
 */
abstract class WorkerState implements WorkerContext {
    private static final int DEQUE_CAPACITY = 256;
    /** Stands for the node itself. */
    static final int WHOLE = -1;

    static final News ALWAYS_NEWS = News.alwaysUp();
    private static final VarHandle SLEEPING = Fields.handle(MethodHandles.lookup(), "sleeping", boolean.class);
    /** For others to look at, opaque: a picture of the moment needs no order. */
    private static final VarHandle CURRENT = Fields.handle(MethodHandles.lookup(), "current", Node.class);

    private static final VarHandle PART = Fields.handle(MethodHandles.lookup(), "part", int.class);
    private static final VarHandle NEXT = Fields.handle(MethodHandles.lookup(), "next", Node.class);
    private static final VarHandle RUNNING = Fields.handle(MethodHandles.lookup(), "running", boolean.class);
    private static final VarHandle HELPED = Fields.handle(MethodHandles.lookup(), "helped", int.class);
    private static final VarHandle NODES = Fields.handle(MethodHandles.lookup(), "nodes", int.class);

    /** The task of a worker, constant for its life. */
    enum Role {
        /** Runs nodes that any host worker may run: from its deque, the inbox, the deques of others. */
        HOST,
        /** The main thread when it did not make the engine: runs main nodes and the nodes that these make ready. */
        MAIN,
        /** Serves the queue of a target, and nothing else. */
        TARGET
    }

    final WorkerPool pool;
    final int index;
    final Role role;
    /** True if nodes for any worker of the host go to this worker's own deque. */
    final boolean home;
    /** The queue that it serves besides, or alone: the main thread's or a target's. */
    final @Nullable PlaceQueue queue;

    /** The policy that holds the host's ready nodes; null when the deques do. */
    final @Nullable PolicyRunner scheduler;
    /** True if a host node that the end of another made ready may run next though a policy holds the others. */
    final boolean inlines;

    /** The nodes that are in no deque; null for workers that run none of them. */
    final @Nullable News news;
    /** The same for workers that deques serve, while all nodes may run; else news that are always there. */
    News calm;

    final WorkDeque<Node> deque;
    final TraceLane lane;
    final int patience;

    /** The thread to unpark; set before the worker first sleeps. */
    volatile @Nullable Thread thread;
    /**
     * True while the worker announces sleep. Set by the worker; cleared by CAS, by a waker or by a worker with work.
     */
    volatile boolean sleeping;
    /** The thread takes no steps: it is the user's, and does not wait now. Written by that thread. */
    volatile boolean away;

    /** Runs next, before anything in a queue. */
    @Nullable
    Node next;
    /** Nodes went to the deque since it was last announced. */
    boolean unannounced;

    boolean running;
    /**
     * The node that runs. Other threads read it, without an order: it is written for each node, and the node's fields
     * that they read are final or may be missing.
     */
    @SuppressWarnings("unused") // through CURRENT
    @Nullable
    Node current;
    /** The part of that node that runs; see {@link WorkerContext#goesOn}. Others read it, without an order. */
    int part = WHOLE;
    /** The number of nodes at which the node that runs goes on with no further part. */
    int rowEnd;
    /** The number of nodes at which a part that is to follow has to look, for {@link #rowEnd} or for announcements. */
    int lastInRow;
    /** The flag for which the user's thread waits; null while it does not wait, or waits for something else. */
    @Nullable
    WaitFlag until;
    /** The function around that wait, which an interrupt may be due to; null for none. */
    @Nullable
    ThreadFunction around;
    /** The user's thread waits, and so takes steps. Written by that thread; constant for threads of the engine's. */
    volatile boolean present;

    /** Lets the user's thread run on any processor again; null while it may. */
    @Nullable
    Runnable unbind;

    final StealBackoff backoff = new StealBackoff();
    /** The number of levels of nodes that run in between. Other threads read it, without an order. */
    int between;

    /** Looks for a node that went further than to the worker's own. */
    int looks;
    /** Nodes that were found and run. Others read it, without an order. */
    int nodes;
    /** Parts of others' loops that were found and run. Others read it, without an order. */
    @SuppressWarnings("unused") // through HELPED
    int helped;

    /**
     * The number of {@link #nodes} when the running node last pushed another by {@code ready}, or had its turn as the
     * oldest; -1 before the first.
     */
    int pushedBy = -1;
    /** The number of nodes that were pushed then, and the number of nodes newer than the oldest. */
    int pushes;

    int fruitless;
    int victim;
    /** The number of the worker that was robbed first in the present time of stealing. */
    int robbed;

    final Shift shift = new Shift();
    /** The last node came from the inbox, so the next does not: neither holds up the other. */
    boolean tookFromInbox;
    /**
     * The wait of the user's thread, while it runs only nodes needed for it; null when it runs all. Confined to that
     * thread.
     */
    @Nullable
    Wait need;
    /** Nodes that ran while others were put aside. */
    int passedOver;
    /** The thread has come across nodes that its wait does not need. */
    boolean metOthers;
    /** The last look found ready nodes, all of which the wait does not need. */
    boolean leftOthers;
    /** Nodes until the next look at the queues, less one; of the form 2^n - 1. */
    int lookUpMask;

    long lookedUp;
    /** The time at which such look last woke waiting threads. */
    long told;

    final Aging aging = new Aging();

    WorkerState(WorkerPool pool, int index, Role role, @Nullable PlaceQueue queue, EngineOptions options) {
        this.pool = pool;
        this.index = index;
        this.role = role;
        this.scheduler = pool.scheduler;
        this.home = role != Role.TARGET && scheduler == null;
        this.inlines = role == Role.HOST && scheduler != null && scheduler.inlines();
        this.queue = queue;
        this.news = role == Role.HOST && scheduler == null ? pool.news : null;
        this.deque = new WorkDeque<>(DEQUE_CAPACITY, role == Role.MAIN || options.workers() > 1);
        this.lane = pool.trace.lane((role == Role.MAIN ? "main " : "worker ") + index);
        this.patience = options.patience();
        this.victim = index;
        this.calm = news == null ? ALWAYS_NEWS : news;
        if (news != null && queue != null) {
            news.covers(queue);
        }
    }

    final WorkDeque<Node> deque() {
        return deque;
    }

    /** Ends the announcement and unparks the thread. Whether this caller was the one to do so. */
    final boolean wake() {
        // CAS: the count of sleepers goes down once per announcement, however many wake the worker at a time.
        if (!sleeping || !SLEEPING.compareAndSet(this, true, false)) {
            return false;
        }
        if (role == Role.HOST) {
            pool.sleepers.add(-1);
        }
        LockSupport.unpark(thread);
        return true;
    }

    /** Returns true if the thread takes no steps now; known under policies only. */
    final boolean isAway() {
        return away;
    }

    /** Returns the worker's state under the policy. */
    final Shift shift() {
        return shift;
    }

    final boolean isSleeping() {
        return sleeping;
    }

    /** Sets the thread that owns the steps from now on: a thread of the user's, which takes none yet. */
    final void lendTo(Thread users) {
        thread = users;
        away = true;
    }

    /** Sets the thread that owns the steps from now on. */
    final void bind(Thread its) {
        thread = its;
    }

    @Nullable
    final Thread thread() {
        return thread;
    }

    final Role role() {
        return role;
    }

    final boolean isRunning() {
        return running;
    }

    /** The node that it runs; null when it runs none, or a part of a loop of another. By its thread. */
    @Nullable
    final Node current() {
        return running && current != null ? current.part(part) : null;
    }

    /** True if nodes that others may take are in its deque. */
    final boolean hasQueued() {
        return !deque.isEmpty();
    }

    /** Shows its activity and the nodes in its deque. Any thread. */
    final void visit(NodeVisitor visitor) {
        Node runs = (Node) CURRENT.getOpaque(this);
        Node busyWith = isBusy() && runs != null ? runs.part((int) PART.getOpaque(this)) : null;
        visitor.worker(index, threadName(), doing(busyWith), busyWith);
        Node inline = (Node) NEXT.getOpaque(this);
        if (inline != null) {
            visitor.queued(inline, "runs next on worker " + index);
        }
        String whose = pool.isAlone() && !isPresent()
                ? ", whose thread runs tasks while it is in await or join, and is not"
                : "";
        deque.each(node -> visitor.queued(node, "is queued at worker " + index + whose));
    }

    private String doing(@Nullable Node busyWith) {
        if (busyWith != null) {
            return "runs \"" + busyWith + '"' + (between > 0 ? " inside of a submission, which goes on after it" : "");
        }
        if (isBusy()) {
            return "helps with a loop";
        }
        if (!isPresent()) {
            return "is away: its thread does not wait";
        }
        return sleeping ? "sleeps" : "looks for work";
    }

    /** Returns true if the thread is one of the user's: that of the first worker, and a separate main thread. */
    final boolean isLent() {
        return index == 0 || role == Role.MAIN;
    }

    /** Returns true if the thread takes steps, as others see it: it is the engine's, or the user's and waits. */
    final boolean isPresent() {
        return present || !isLent();
    }

    final String threadName() {
        Thread its = thread;
        return its == null ? "no thread" : Threads.name(its);
    }

    @Override
    public final int nodes() {
        return (int) NODES.getOpaque(this);
    }

    /** Changes whenever the worker has found something to run; a hint for other threads. */
    final int progress() {
        return nodes() + (int) HELPED.getOpaque(this);
    }

    /**
     * Returns true if the user's thread takes steps, and so may come to a node that blocks, as other threads see it.
     */
    final boolean takesSteps() {
        return present || between > 0;
    }

    /** Returns true if the worker runs a node, as other threads see it. */
    final boolean isBusy() {
        return (boolean) RUNNING.getOpaque(this);
    }

    @Override
    public final int index() {
        return index;
    }

    @Override
    public final TraceLane lane() {
        return lane;
    }
}
