package dev.jacquard.engine;

import dev.jacquard.base.concurrent.WorkDeque;
import dev.jacquard.base.trace.TraceLane;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.NodeVisitor;
import dev.jacquard.engine.work.Pausable;
import dev.jacquard.engine.work.RangeBody;
import dev.jacquard.engine.work.ThreadFunctions;
import dev.jacquard.engine.work.Wait;
import dev.jacquard.engine.work.WorkerContext;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs nodes, one {@link #step} at a time. A thread calls it in a loop; a test may call it too, and so choose the order
 * of everything that happens.
 *
 * <p>All fields but {@link #sleeping} and the deque are confined to the thread that calls {@link #step}.
 */
final class Worker implements WorkerContext {
    private static final int DEQUE_CAPACITY = 256;
    /**
     * Nodes between two looks at the oldest node and at the threads that wait, at most, so that endless work starves
     * neither.
     */
    private static final int LOOK_UP_PERIOD = 64;
    /**
     * The time between two looks after which each node is followed by a look: a look costs little beside such nodes.
     */
    private static final long LOOK_UP_NANOS = 100_000;
    /** The least time between two wake-ups of waiting threads: one costs as much as a hundred small nodes. */
    private static final long TELL_PERIOD_NANOS = 200_000;

    /** The number of levels of nodes that a submitting thread runs in between. */
    private static final int MOST_BETWEEN = 8;
    /** Nodes that a lone worker whose thread waits runs before one that the wait does not need. */
    private static final int MOST_PASSED_OVER = 1024;

    private static final News ALWAYS_NEWS = News.alwaysUp();
    private static final VarHandle SLEEPING;
    /** For others to look at, opaque: a picture of the moment needs no order. */
    private static final VarHandle CURRENT;

    private static final VarHandle NEXT;
    private static final VarHandle RUNNING;
    private static final VarHandle HELPED;
    private static final VarHandle NODES;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            SLEEPING = lookup.findVarHandle(Worker.class, "sleeping", boolean.class);
            CURRENT = lookup.findVarHandle(Worker.class, "current", Node.class);
            NEXT = lookup.findVarHandle(Worker.class, "next", Node.class);
            RUNNING = lookup.findVarHandle(Worker.class, "running", boolean.class);
            HELPED = lookup.findVarHandle(Worker.class, "helped", int.class);
            NODES = lookup.findVarHandle(Worker.class, "nodes", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The task of a worker, constant for its life. */
    enum Role {
        /** Runs what any host worker may run: from its deque, the inbox, the deques of others. */
        HOST,
        /** The main thread when it did not make the engine: runs main nodes and what these make ready. */
        MAIN,
        /** Serves the queue of a target, and nothing else. */
        TARGET
    }

    private final Engine engine;
    private final int index;
    private final Role role;
    /** True if nodes for any worker of the host go to this worker's own deque. */
    private final boolean home;
    /** The queue that it serves besides, or alone: the main thread's or a target's. */
    private final @Nullable PlaceQueue queue;

    /** The policy that holds the host's ready nodes; null when the deques do. */
    private final @Nullable PolicyRunner scheduler;
    /** True if a host node that the end of another made ready may run next though a policy holds the others. */
    private final boolean inlines;

    /** The nodes that are in no deque; null for workers that run none of them. */
    private final @Nullable News news;
    /** The same for workers that deques serve, while all nodes may run; else news that are always there. */
    private News calm;

    private final WorkDeque<Node> deque;
    private final TraceLane lane;
    private final int patience;

    /** The thread to unpark; set before the worker first sleeps. */
    private volatile @Nullable Thread thread;
    /**
     * True while the worker announces sleep. Set by the worker; cleared by CAS, by a waker or by a worker with work.
     */
    private volatile boolean sleeping;
    /** The thread takes no steps: it is the user's, and does not wait now. Written by that thread. */
    private volatile boolean away;

    /** Runs next, before anything in a queue. */
    private @Nullable Node next;
    /** Nodes went to the deque since it was last announced. */
    private boolean unannounced;

    private boolean running;
    /**
     * The node that runs. Other threads read it, without an order: it is written for each node, and the node's fields
     * that they read are final or may be missing.
     */
    @SuppressWarnings("unused") // through CURRENT
    private @Nullable Node current;
    /** The user's thread waits, and so takes steps. Written by that thread; constant for threads of the engine's. */
    private volatile boolean present;

    /** Lets the user's thread run on any processor again; null while it may. */
    private @Nullable Runnable unbind;

    private final StealBackoff thrift = new StealBackoff();
    /** The number of levels of nodes that run in between. Other threads read it, without an order. */
    private int between;

    /** Looks for a node that went further than to the worker's own. */
    private int looks;
    /** Nodes that were found and run. Others read it, without an order. */
    private int nodes;
    /** Parts of others' loops that were found and run. Others read it, without an order. */
    @SuppressWarnings("unused") // through HELPED
    private int helped;

    private int fruitless;
    private int victim;
    /** The number of the worker with whose nodes the present time of stealing began. */
    private int robbed;

    private final Shift shift = new Shift();
    /** The last node came from the inbox, so the next does not: neither holds up the other. */
    private boolean tookFromInbox;
    /**
     * The wait of the user's thread, while it runs only nodes needed for it; null when it runs all. Confined to that
     * thread.
     */
    private @Nullable Wait need;
    /** Nodes that ran while others were put aside. */
    private int passedOver;
    /** The thread has come across nodes that its wait does not need. */
    private boolean metOthers;
    /** The last look found ready nodes, all of which the wait does not need. */
    private boolean leftOthers;
    /** Nodes until the next {@link #lookUp}, less one; of the form 2^n - 1. */
    private int lookUpMask;

    private long lookedUp;
    /** The time at which {@link #lookUp} last woke waiting threads. */
    private long told;

    private final Aging seniority = new Aging();

    Worker(Engine engine, int index, Role role, @Nullable PlaceQueue queue, EngineOptions options) {
        this.engine = engine;
        this.index = index;
        this.role = role;
        this.scheduler = engine.scheduler();
        this.home = role != Role.TARGET && scheduler == null;
        this.inlines = role == Role.HOST && scheduler != null && scheduler.inlines();
        this.queue = queue;
        this.news = role == Role.HOST && scheduler == null ? engine.news() : null;
        this.deque = new WorkDeque<>(DEQUE_CAPACITY, role == Role.MAIN || options.workers() > 1);
        this.lane = engine.trace().lane((role == Role.MAIN ? "main " : "worker ") + index);
        this.patience = options.patience();
        this.victim = index;
        this.calm = news == null ? ALWAYS_NEWS : news;
        if (news != null && queue != null) {
            news.covers(queue);
        }
    }

    /** Returns true if the user's thread, which does not wait, may run {@code node}. By that thread. */
    boolean mayRunNow(Node node) {
        return home && node.isForHost() && !running && !engine.isBroken();
    }

    /** Runs {@code node} in between, if the other workers have enough nodes; see {@link Dispatcher#runNow}. */
    int runNow(Node node, int enough) {
        if (!deque.holds(enough)) {
            return Dispatcher.NOT_RUN;
        }
        runNow(node);
        return Dispatcher.AMONG_OTHERS;
    }

    /** Runs {@code node} in between. By the user's thread, which does not wait. */
    void runNow(Node node) {
        nodes++;
        current = node;
        running = true;
        engine.waiters().beginWatch();
        try {
            node.run(this);
        } finally {
            running = false;
            rest();
            // Behind the fence of a task's end. No step follows that would find nothing to do, and tell those who wait.
            if (engine.waiters().any()) {
                engine.waiters().wakeSoon();
            }
            if (unannounced) {
                unannounced = false;
                engine.announce();
            }
        }
    }

    /**
     * Runs ready nodes in between, until {@code enough} or none is there: inside of a node, which goes on behind them,
     * or by the user's thread, which does not wait. Nested a few levels deep only, since each takes a part of the same
     * stack.
     */
    void runBetween(BooleanSupplier enough) {
        if (between == MOST_BETWEEN) {
            return;
        }
        Thread current = Thread.currentThread();
        boolean inside = running;
        Node outer = inside ? this.current : null;
        between++;
        engine.waiters().beginWatch(); // behind the count: the watch goes on for either
        lane.pause();
        if (outer != null) {
            boolean _ = outer.pause(); // what is meant for its body must not reach those that run in between
        }
        Pausable function = ThreadFunctions.pauseInnermost();
        try {
            // One that came before is for the body that submits, or for the next wait: then no body runs in between.
            while (!current.isInterrupted() && !enough.getAsBoolean() && runOneBetween()) {
                running = inside;
                forgetInterrupt(current);
            }
        } finally {
            between--;
            running = inside;
            if (inside) {
                rest();
                this.current = outer;
            } else {
                leave();
            }
            if (function != null) {
                function.goOn();
            }
            if (outer != null) {
                outer.goOn();
            }
            if (engine.waiters().any()) {
                engine.waiters().wakeSoon();
            }
        }
    }

    private boolean runOneBetween() {
        Node node = scheduler == null ? take() : takeByPolicy(scheduler);
        if (node == null) {
            return false;
        }
        nodes++;
        current = node;
        running = true;
        try {
            if (scheduler != null) {
                shift.run(node, this, scheduler, engine.clock());
            } else {
                node.run(this);
            }
        } finally {
            if (unannounced) {
                unannounced = false;
                engine.announce();
            }
        }
        return true;
    }

    /** Runs a node if there is one; else says how to wait for one. */
    Step step() {
        Node node = (nodes & lookUpMask) == 0 || calm.any() ? null : takeOwn();
        if (node == null) {
            node = choose();
        }
        if (node == null) {
            return lookOn();
        }
        fruitless = 0;
        nodes++;
        current = node;
        running = true;
        try {
            if (scheduler != null) {
                shift.run(node, this, scheduler, engine.clock());
            } else {
                node.run(this);
            }
        } finally {
            running = false;
            if (unannounced) {
                unannounced = false;
                engine.announce();
            }
        }
        return Step.RAN;
    }

    /** The node to run next, by all that there is to look at; null when there is none. */
    private @Nullable Node choose() {
        if (scheduler != null) {
            return takeByPolicy(scheduler);
        }
        Wait its = need;
        return its == null || news == null ? take() : takeNeeded(its, news);
    }

    /** Like {@link #take}, with the policy instead of deques and inbox. */
    private @Nullable Node takeByPolicy(PolicyRunner policy) {
        if (away) {
            away = false;
        }
        if (isLookUpDue()) {
            lookUp();
            Node inline = next;
            if (inline != null) {
                next = null;
                engine.send(inline); // a chain without end must not starve the others
            }
        }
        if (queue != null && !queue.isEmpty()) {
            Node its = queue.poll();
            if (its != null) {
                shareNext();
                return its;
            }
        }
        Node node = next;
        if (node != null) {
            next = null;
            return node;
        }
        return role == Role.HOST ? policy.pop(this) : null;
    }

    private @Nullable Node take() {
        if (isLookUpDue()) {
            long now = lookUp();
            Node old = seniority.isDue(deque, now) ? deque.steal() : null;
            if (old != null) { // its own oldest: what keeps making itself ready again must not starve it
                tookFromInbox = false;
                shareNext();
                return old;
            }
        }
        if (queue != null && !queue.isEmpty()) {
            Node its = queue.poll(); // first: no other worker may run these; null when a colleague was faster
            if (its != null) {
                shareNext();
                return its;
            }
        }
        if (news != null && news.any()) {
            Node its = takeNews(news);
            if (its != null) {
                shareNext();
                return its;
            }
        }
        Node node = takeOwn();
        if (node == null && role == Role.HOST) {
            node = engine.fromInbox();
            return node == null ? steal() : node;
        }
        return node;
    }

    /** Takes what runs next, or the newest node of the worker's own. */
    private @Nullable Node takeOwn() {
        Node node = next;
        if (node == null) {
            return deque.pop();
        }
        next = null;
        return node;
    }

    private @Nullable Node takeNews(News from) {
        Node node = tookFromInbox || from.inbox.isEmpty() ? null : engine.fromInbox();
        tookFromInbox = node != null; // now, since what this worker goes on with may be long, and never end
        return node == null ? from.aside.poll() : node; // no thread puts aside enough to hold up anything for long
    }

    /** Like {@link #take}, by a thread that waits. */
    private @Nullable Node takeNeeded(Wait wait, News from) {
        if (!metOthers) {
            tookFromInbox &= from.any(); // the look before may be long ago
            Node node = take();
            if (node == null || mayRun(node, wait)) {
                return node;
            }
            metOthers = true; // looks at the nodes of others before it steals them, from now on
            engine.setAside(node);
        }
        return takeFor(wait);
    }

    /**
     * Like {@link #take}, by a thread that runs only what {@code wait} needs. The other workers get what else it comes
     * across. When there are no other workers, it runs that too, when it finds nothing that the wait needs, and now and
     * then.
     */
    private @Nullable Node takeFor(Wait wait) {
        if (isLookUpDue()) {
            lookUp();
        }
        if (queue != null && !queue.isEmpty()) {
            shareNext();
            return queue.poll(); // no other worker may run these
        }
        leftOthers = false;
        if (news == null) {
            return take(); // not a worker of the host
        }
        Aside aside = news.aside;
        boolean alone = engine.isAloneOnHost();
        for (Node node = takeNewsOrOwn(news); node != null; node = takeNewsOrOwn(news)) {
            if (mayRun(node, wait)) {
                if (!alone || aside.isEmpty() || ++passedOver < MOST_PASSED_OVER) {
                    return node;
                }
                passedOver = 0; // endless work must not starve the others
                deque.push(node);
                return aside.poll();
            }
            leftOthers = true;
            engine.setAside(node);
        }
        Node stolen = stealFor(wait);
        if (stolen != null) {
            return stolen;
        }
        if (aside.isEmpty()) {
            return null;
        }
        Node node = aside.pollFor(wait);
        if (node == null && alone) {
            node = aside.poll();
        }
        leftOthers |= node == null;
        return node;
    }

    /** The next node that no other worker has to be asked for; null when there is none. */
    private @Nullable Node takeNewsOrOwn(News from) {
        Node node = tookFromInbox || from.inbox.isEmpty() ? null : engine.fromInbox();
        tookFromInbox = node != null;
        if (node != null) {
            shareNext();
            return node;
        }
        return takeOwn();
    }

    /**
     * Returns true when the thread may run {@code node} while it is in {@code wait}: the wait needs the node, no other
     * worker may run it, or there is no other worker that could run what threads without one have submitted.
     */
    private boolean mayRun(Node node, Wait wait) {
        return !node.isForHost() || (tookFromInbox && engine.isAloneOnHost()) || wait.needs(node);
    }

    /** Steals a node that {@code wait} needs, and leaves others where they are. */
    private @Nullable Node stealFor(Wait wait) {
        for (WorkDeque<Node> its : engine.victims()) {
            Node oldest = its == deque ? null : its.oldestElement();
            if (oldest == null) {
                continue;
            }
            Node node = wait.needs(oldest) ? its.steal() : null;
            if (node == oldest) {
                return node;
            }
            leftOthers = true;
            if (node != null) { // another one meanwhile
                engine.setAside(node);
            }
        }
        return null;
    }

    private @Nullable Node steal() {
        // Not by way of the other workers, whose fields change with each of their steps.
        WorkDeque<Node>[] all = engine.victims();
        if (all.length == 1) {
            return null;
        }
        long now = engine.clock().nanoTime();
        thrift.outOfWork(now);
        if (thrift.isDue(now)) {
            thrift.look(now, nodesOfBoth());
        }
        if (thrift.isAway()) {
            return null;
        }
        for (int tries = 1; tries < all.length; tries++) {
            victim = victim + 1 == all.length ? 0 : victim + 1;
            if (victim == index) {
                victim = victim + 1 == all.length ? 0 : victim + 1;
            }
            WorkDeque<Node> its = all[victim];
            Node node = its.steal();
            if (node != null) {
                if (!its.isEmpty()) {
                    engine.sleepers().wakeOne(); // nodes readied together are announced once: each thief wakes the next
                }
                if (thrift.isFresh()) {
                    robbed = victim;
                    thrift.begin(now, nodesOfBoth());
                }
                thrift.took(now);
                return node;
            }
        }
        return null;
    }

    /** Returns the number of nodes that this worker has run, and the one from which it stole first. */
    private int nodesOfBoth() {
        return nodes + (int) NODES.getOpaque(engine.victimAt(robbed));
    }

    WorkDeque<Node> deque() {
        return deque;
    }

    /** Returns true once per period of nodes, and of looks that found none: see {@link #lookUpMask}. */
    private boolean isLookUpDue() {
        return (nodes & lookUpMask) == 0 || (++looks & lookUpMask) == 0;
    }

    /**
     * Wakes the threads that wait for something that this worker may have done, though it does not run out of other
     * work. Says when the next look is due: sooner where nodes are long.
     *
     * @return the time
     */
    private long lookUp() {
        long now = engine.clock().nanoTime();
        lookUpMask = now - lookedUp >= LOOK_UP_NANOS ? 0 : Math.min(LOOK_UP_PERIOD - 1, 2 * lookUpMask + 1);
        lookedUp = now;
        if (engine.waiters().any() && now - told >= TELL_PERIOD_NANOS) {
            told = now;
            engine.waiters().wake();
        }
        return now;
    }

    private Step lookOn() {
        if (role == Role.HOST && engine.loops().areOpen() && help()) {
            fruitless = 0;
            return Step.RAN;
        }
        if (fruitless++ == 0) {
            current = null; // must not keep it alive
            lane.pause();
            engine.outOfWork();
        }
        // While it looks away there may be nodes: it must not try to sleep. It looks away in steal() alone.
        if (fruitless <= patience || (thrift.isAway() && need == null)) {
            return Step.LOOK_AGAIN;
        }
        if (leftOthers) {
            return Step.NAP; // to sleep until nodes become ready would be to wake for each of the others
        }
        thrift.sleeps();
        fruitless = 1; // whatever wakes it, it looks around anew, and has already told those who wait
        // Counted first: the count is never less than the workers that can be woken. The other way round a waker that
        // sees the announcement takes the worker off the count before it is on it, and the count hides another worker
        // that sleeps.
        if (role == Role.HOST) {
            engine.sleepers().add(1); // a full fence: pairs with the one in announce()
        }
        sleeping = true; // volatile: pairs with the wakers' read; the look below stands behind it
        if (hasWork()) {
            wake();
            return Step.LOOK_AGAIN;
        }
        if (scheduler != null) {
            scheduler.requireProgress();
        }
        return Step.SLEEP;
    }

    /** Takes a part of a loop that another worker runs. Whether there was one. */
    private boolean help() {
        current = null;
        running = true;
        try {
            boolean found = engine.loops().help();
            helped += found ? 1 : 0;
            return found;
        } finally {
            running = false;
        }
    }

    private boolean hasWork() {
        if (queue != null && !queue.isEmpty()) {
            return true;
        }
        if (engine.isClosed() || (role == Role.HOST && engine.loops().areOpen())) {
            return true;
        }
        if (scheduler != null) {
            return role == Role.HOST && scheduler.hasNewsFor(this);
        }
        return role == Role.HOST ? engine.hasWork() : hasQueued();
    }

    /** Ends the announcement and unparks the thread. Whether this caller was the one to do so. */
    boolean wake() {
        // CAS: the count of sleepers goes down once per announcement, however many wake the worker at a time.
        if (!sleeping || !SLEEPING.compareAndSet(this, true, false)) {
            return false;
        }
        if (role == Role.HOST) {
            engine.sleepers().add(-1);
        }
        LockSupport.unpark(thread);
        return true;
    }

    /**
     * The thread that takes the steps does something else from now on: what it would have run next goes to the queue.
     */
    void leave() {
        present = false;
        if (unbind != null) {
            unbind.run();
            unbind = null;
        }
        need = null;
        calm = news == null ? ALWAYS_NEWS : news;
        metOthers = false;
        leftOthers = false;
        rest();
        deque.forgetStolen(); // its slots must keep no finished work alive while the thread is elsewhere
        if (scheduler != null) {
            away = true; // volatile, like what is read next: who pushes later sees it
            if (role == Role.HOST) {
                scheduler.leftBehindBy(this);
            }
            scheduler.requireProgress();
        }
    }

    /** The thread goes on with something else: keeps nothing alive, and nothing from the others. */
    private void rest() {
        current = null;
        lane.pause();
        shareNext();
    }

    /** Another node runs before the next one, perhaps for long: others may take that. */
    private void shareNext() {
        Node node = next;
        if (node != null) {
            next = null;
            ready(node);
        }
    }

    /**
     * Forgets the interrupt that a body left behind: the next body must not see it, nor does it end a wait, nor keep
     * the thread awake. By the thread that ran a node.
     */
    static void forgetInterrupt(Thread current) {
        if (current.isInterrupted()) {
            Thread.interrupted();
        }
    }

    /** Returns true if the thread takes no steps now; known under policies only. */
    boolean isAway() {
        return away;
    }

    /** Returns what the worker remembers of the policy. */
    Shift shift() {
        return shift;
    }

    boolean isSleeping() {
        return sleeping;
    }

    /** Whose steps these are from now on: a thread of the user's, which takes none yet. */
    void lendTo(Thread users) {
        thread = users;
        away = true;
    }

    /** Whose steps these are from now on. */
    void bind(Thread its) {
        thread = its;
    }

    @Nullable
    Thread thread() {
        return thread;
    }

    Role role() {
        return role;
    }

    boolean isRunning() {
        return running;
    }

    /** The node that it runs; null when it runs none, or a part of a loop of another. By its thread. */
    @Nullable
    Node current() {
        return running ? current : null;
    }

    /** True if nodes that others may take are in its deque. */
    boolean hasQueued() {
        return !deque.isEmpty();
    }

    /**
     * The user's thread begins to wait, and runs only what {@code wait} needs; all when that is null. Policies decide
     * by themselves.
     */
    void arrive(@Nullable Wait wait) {
        need = wait;
        calm = news == null || wait != null ? ALWAYS_NEWS : news;
        present = true;
        if (role == Role.HOST) {
            unbind = engine.binding().bind(index);
        }
    }

    /** Shows what it does and what is in its deque. Any thread. */
    void visit(NodeVisitor visitor) {
        Node runs = (Node) CURRENT.getOpaque(this);
        Node busyWith = isBusy() ? runs : null;
        visitor.worker(index, threadName(), doing(busyWith), busyWith);
        Node inline = (Node) NEXT.getOpaque(this);
        if (inline != null) {
            visitor.queued(inline, "runs next on worker " + index);
        }
        String whose = engine.isAlone() && !isPresent()
                ? ", whose thread runs tasks while it is in await or join, and is not"
                : "";
        deque.each(node -> visitor.queued(node, "is queued at worker " + index + whose));
    }

    private String doing(@Nullable Node busyWith) {
        if (busyWith != null) {
            return "runs \"" + busyWith + '"' + (between > 0 ? " inside of a submission, which goes on behind it" : "");
        }
        if (isBusy()) {
            return "helps with a loop";
        }
        if (!isPresent()) {
            return "is away: its thread does not wait";
        }
        return sleeping ? "sleeps" : "looks for work";
    }

    /** Returns true if the thread takes steps, as others see it: it is the engine's, or the user's and waits. */
    boolean isPresent() {
        return present || !engine.isForeign(thread);
    }

    String threadName() {
        Thread its = thread;
        return its == null ? "no thread" : its.getName();
    }

    /** Changes whenever the worker has found something to run; a hint for other threads. */
    int progress() {
        return (int) NODES.getOpaque(this) + (int) HELPED.getOpaque(this);
    }

    /**
     * Returns true if the user's thread takes steps, and so may come to a node that blocks, as other threads see it.
     */
    boolean takesSteps() {
        return present || between > 0;
    }

    /** Returns true if the worker runs a node, as other threads see it. */
    boolean isBusy() {
        return (boolean) RUNNING.getOpaque(this);
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public TraceLane lane() {
        return lane;
    }

    @Override
    public void ready(Node node) {
        if (home && node.isForHost()) {
            deque.push(node);
            engine.announce();
        } else {
            engine.send(node);
        }
    }

    @Override
    public void readyAtEnd(Node node) {
        if (!((home || inlines) && node.isForHost())) {
            engine.send(node);
            return;
        }
        Node earlier = next;
        next = node;
        if (earlier != null) {
            if (inlines) {
                engine.send(earlier);
            } else {
                deque.push(earlier);
                unannounced = true;
            }
        }
    }

    @Override
    public void parallelFor(long from, long to, long grain, RangeBody body) throws Exception {
        engine.loops().run(from, to, grain, body);
    }
}
