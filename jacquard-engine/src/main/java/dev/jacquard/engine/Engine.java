package dev.jacquard.engine;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.base.concurrent.WorkDeque;
import dev.jacquard.base.machine.Place;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.engine.schedule.Explanation;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.PolicyException;
import dev.jacquard.engine.work.Edges;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.NodeVisitor;
import dev.jacquard.engine.work.Pausable;
import dev.jacquard.engine.work.RangeBody;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.engine.work.ThreadFunctions;
import dev.jacquard.engine.work.Timer;
import dev.jacquard.engine.work.Wait;
import java.lang.System.Logger.Level;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The workers, the inbox, those who sleep and those who wait. The package documentation has the protocols. */
public final class Engine implements Workers, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Engine.class.getName());

    /** All: the host's, then those of targets, then the main thread where it did not make the engine. */
    private final Worker[] workers;
    /** The host's, of which number 0 is the thread that made the engine. */
    private final Worker[] hosts;
    /** The deques that the host's workers look into: the host's, then that of a main thread of its own. */
    private final WorkDeque<Node>[] victims;

    private final WorkerSet crew;
    /** No deque has a thief. */
    private final boolean alone;
    /** The host's workers that sleep. */
    private final Sleepers sleepers;

    private final Places places;
    private final @Nullable Thread main;
    private final @Nullable PolicyRunner scheduler;
    private final Placer placer;
    private final TimeModel times = new TimeModel();
    private final @Nullable EdgeHook advice;
    private final Policy policy;
    private final Binding binding;
    /** By what anything is decided; the trace's may be another, which is only ever read afterwards. */
    private final Clock clock;

    private final Trace trace;
    private final News news = new News();
    private final List<Thread> threads = new ArrayList<>();
    private final Timers timers;
    private final Loops loops = new Loops(this);

    private final Waiters waiters = new Waiters(this);

    private volatile boolean closed;
    /** The failure that ended the engine before its time: the first of several. */
    private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();

    /**
     * Workers, of which the calling thread is number 0, on the clock of their trace. No thread runs before
     * {@link #start}.
     *
     * @param options how many, and how they behave
     * @param trace where their spans go
     */
    public Engine(EngineOptions options, Trace trace) {
        this.clock = trace.clock();
        this.trace = trace;
        this.timers = new Timers(clock, this::background);
        this.main = options.main();
        this.places = new Places(options);
        this.policy = options.policy();
        this.advice = EdgeHook.of(this, policy);
        this.binding = Binding.of(policy);
        this.placer = new Placer(policy, this::fail);
        this.scheduler = PolicyRunner.of(this, policy, placer, options.workers());
        this.crew = new WorkerSet(this, options, places);
        this.workers = crew.all();
        this.hosts = crew.hosts();
        this.victims = crew.victims();
        this.sleepers = new Sleepers(hosts);
        this.alone = victims.length == 1;
    }

    /** Starts the threads of the host's workers but the first, and of those of targets. */
    public Engine start() {
        for (Worker worker : workers) {
            if (worker.thread() != null) {
                continue; // a thread of the user's
            }
            Thread thread = Thread.ofPlatform()
                    .daemon()
                    .name("jacquard-worker-" + worker.index())
                    .unstarted(() -> loop(worker));
            worker.bind(thread);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
        timers.start();
        return this;
    }

    /** An engine on the system's clock that traces nothing. */
    public static Engine of(int workers) {
        return new Engine(EngineOptions.of(workers), new Trace(Clock.system(), 0)).start();
    }

    // ---- what fronts ask

    @Override
    public int workers() {
        return workers.length;
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public Trace trace() {
        return trace;
    }

    @Override
    public boolean hasMain() {
        return main != null;
    }

    @Override
    public List<Place> places() {
        return places.all();
    }

    @Override
    public Place choose(ReadyTask task, MachineState machine) {
        Place place = placer.place(task, machine);
        return place == null ? machine.places().getFirst() : place;
    }

    /** Returns why the newest tasks went to one of several places, the last one last. */
    public List<Explanation> explanations() {
        return placer.placement().explanations();
    }

    @Override
    public TimeModel times() {
        return times;
    }

    @Override
    public boolean wantsSubmissions() {
        return advice != null;
    }

    @Override
    public boolean hasPolicy() {
        return scheduler != null || advice != null;
    }

    @Override
    public void submitted(ReadyTask task, Edges edges) {
        if (advice != null) {
            advice.submitted(task, edges);
        }
    }

    @Override
    public long rank(ReadyTask task) {
        try {
            return policy.rank(task);
        } catch (Throwable e) {
            fail(new PolicyException(policy.name(), task.name(), "threw from rank of task \"" + task.name() + '"', e));
            return 0;
        }
    }

    @Override
    public void ready(Node node) {
        Worker mine = workerOf(Thread.currentThread());
        if (mine == null) {
            send(node);
        } else {
            mine.ready(node);
        }
    }

    @Override
    public int runNow(Node node, int enough) {
        Thread current = Thread.currentThread();
        Worker mine = workerOf(current);
        // An interrupted thread is to hear of it in its next wait; the body would take it for its own.
        if (mine == null || !mine.mayRunNow(node) || current.isInterrupted()) {
            return NOT_RUN;
        }
        Pausable function = ThreadFunctions.pauseInnermost();
        if (function != null && current.isInterrupted()) { // as it paused
            function.goOn();
            return NOT_RUN;
        }
        int ranOn = mine.index();
        try {
            if (alone) {
                mine.runNow(node);
            } else {
                ranOn = mine.runNow(node, enough);
            }
        } catch (Throwable e) {
            fail(e);
        }
        if (ranOn != NOT_RUN) {
            Worker.forgetInterrupt(current);
        }
        if (function != null) {
            function.goOn();
        }
        return ranOn;
    }

    @Override
    public void runReady(BooleanSupplier enough) {
        Thread current = Thread.currentThread();
        Worker mine = workerOf(current);
        // An interrupted thread is to hear of it in its next wait; the body would take it for its own.
        if (mine != null && !isBroken() && !current.isInterrupted()) {
            try {
                mine.runBetween(enough);
            } catch (Throwable e) {
                fail(e);
            }
        }
    }

    /** Sends a node to the queue of its place, where the workers that may run it look. */
    void send(Node node) {
        if (!node.isForHost()) {
            places.add(node);
        } else if (scheduler != null) {
            scheduler.push(node);
        } else {
            news.inbox.add(node); // a volatile write: it stands before the volatile read in wakeOne()
            sleepers.wakeOne();
        }
    }

    @Override
    public void awaitUntil(BooleanSupplier done) throws InterruptedException {
        waiters.await(done, null, mayWait(), Waiters.Kind.ASKS);
    }

    @Override
    public void await(Wait wait) throws InterruptedException {
        waiters.await(wait::isOver, wait, mayWait(), Waiters.Kind.IS_TOLD);
    }

    /** The worker of the calling thread, which is about to wait; null when it has none. */
    private @Nullable Worker mayWait() {
        Thread current = Thread.currentThread();
        Worker mine = workerOf(current);
        if (mine != null && (mine.isRunning() || threads.contains(current))) {
            throw new IllegalStateException(
                    "a task must not wait for others: submit what comes after as a task of its own");
        }
        return mine;
    }

    /**
     * Runs main nodes on the main thread until {@code done} answers true or the engine is closed.
     *
     * @throws IllegalStateException when another thread calls it, or the engine failed
     */
    public void runMain(BooleanSupplier done) throws InterruptedException {
        if (Thread.currentThread() != main) {
            throw new IllegalStateException("only the main thread runs main tasks; it is "
                    + (main == null ? "none: the session was opened without" : main.getName()) + ", and this is "
                    + Thread.currentThread().getName());
        }
        waiters.await(done, null, mayWait(), Waiters.Kind.ASKS_UNTIL_CLOSED);
    }

    @Override
    public void loop(long from, long to, long grain, RangeBody body) throws Exception {
        Worker mine = workerOf(Thread.currentThread());
        if (mine == null || !mine.isRunning()) {
            Workers.super.loop(from, to, grain, body);
        } else {
            mine.parallelFor(from, to, grain, body);
        }
    }

    @Override
    public boolean isInsideNode() {
        Worker mine = workerOf(Thread.currentThread());
        return mine != null && mine.isRunning();
    }

    @Override
    public @Nullable Node current() {
        Worker mine = workerOf(Thread.currentThread());
        return mine == null ? null : mine.current();
    }

    @Override
    public void signal() {
        waiters.signal();
    }

    @Override
    public Thread dedicated(String name, Runnable body) {
        return Thread.ofPlatform()
                .daemon()
                .name(name)
                .uncaughtExceptionHandler(
                        (thread, e) -> LOG.log(Level.ERROR, "thread " + thread.getName() + " ended", e))
                .start(body);
    }

    @Override
    public Timer schedule(long nanosFromNow, Runnable action) {
        return timers.scheduleBeside(nanosFromNow, action);
    }

    @Override
    public void background(Runnable action) {
        Thread.ofVirtual()
                .name("jacquard-background")
                .uncaughtExceptionHandler((thread, e) -> LOG.log(Level.ERROR, "a background action failed", e))
                .start(action);
    }

    Timers timers() {
        return timers;
    }

    @Override
    public void visit(NodeVisitor visitor) {
        for (Worker worker : workers) {
            worker.visit(visitor);
        }
        news.inbox.each(node -> visitor.queued(node, "is in the inbox"));
        news.aside.each(node -> visitor.queued(node, "waits for another worker than the one whose thread waits"));
        places.visit(visitor, whenMainComes());
        if (scheduler != null) {
            scheduler.visit(visitor);
        }
    }

    /**
     * Calls {@code stalled} once whenever nothing has moved for {@code limitNanos} while a thread waits: no worker has
     * found anything to run, and what runs is blocked. It is called by a thread that waits, and what it throws comes
     * out of that wait; or, while such threads run bodies themselves, by a background thread. To be called before any
     * thread waits.
     *
     * @param limitNanos more than 0
     * @param beside a number that changes whenever something moves that the engine does not know
     * @param stalled answers whether there was something to tell
     */
    public void watchStalls(long limitNanos, LongSupplier beside, BooleanSupplier stalled) {
        waiters.watch(new StallWatch(limitNanos, beside, stalled));
    }

    private String whenMainComes() {
        Worker worker = workerOf(main);
        return worker == null || worker.isPresent()
                ? ""
                : ", " + worker.threadName() + ", which runs tasks while it is in await, join or runMain, and is not";
    }

    /** Returns true if {@code thread} is the user's. */
    boolean isForeign(@Nullable Thread thread) {
        return !threads.contains(thread);
    }

    // ---- what workers ask

    Binding binding() {
        return binding;
    }

    Worker[] workerArray() {
        return workers;
    }

    /** Returns the workers, for questions about all of them. */
    WorkerSet crew() {
        return crew;
    }

    WorkDeque<Node>[] victims() {
        return victims;
    }

    /** The worker whose deque is number {@code victim} of {@link #victims()}. */
    Worker victimAt(int victim) {
        return victim < hosts.length ? workers[victim] : workers[workers.length - 1];
    }

    @Nullable
    Node fromInbox() {
        if (news.inbox.isEmpty()) {
            return null;
        }
        Node node = news.inbox.poll();
        if (node != null && !news.inbox.isEmpty()) {
            sleepers.wakeOne(); // the worker that was woken for the rest may have been this one, which is busy now
        }
        return node;
    }

    /** A thread that waits came across {@code node}, which it does not run. */
    void setAside(Node node) {
        news.aside.add(node); // a volatile write: it stands before the volatile read in wakeOne()
        sleepers.wakeOne();
    }

    /** Returns what workers of the host look at before each node. */
    News news() {
        return news;
    }

    /** Returns true when no host worker but the calling one could run what it leaves. */
    boolean isAloneOnHost() {
        return hosts.length == 1;
    }

    /** A node went into a queue: wakes a worker when one sleeps. */
    void announce() {
        if (!alone) {
            VarHandle.fullFence(); // pairs with the getAndAdd in Sleepers: the queue's new node stands before the look
            sleepers.wakeOne();
        }
    }

    Sleepers sleepers() {
        return sleepers;
    }

    boolean hasInbox() {
        return !news.inbox.isEmpty();
    }

    /** Returns the loops that idle workers may help with. */
    Loops loops() {
        return loops;
    }

    /** Returns true if there is no other worker that could help a node. */
    boolean isAlone() {
        return workers.length == 1;
    }

    @Nullable
    PolicyRunner scheduler() {
        return scheduler;
    }

    /** Returns true when it is neither closed nor broken. */
    boolean goesOn() {
        return !news.any() || (!closed && broken.get() == null);
    }

    boolean isBroken() {
        return broken.get() != null;
    }

    /** Returns the failure that ended the engine before its time; null while the engine goes on. */
    @Nullable
    Throwable brokenBy() {
        return broken.get();
    }

    Waiters waiters() {
        return waiters;
    }

    boolean isClosed() {
        return closed;
    }

    /** Returns true if any of the host's workers would find a node. */
    boolean hasWork() {
        if (hasInbox() || !news.aside.isEmpty()) {
            return true;
        }
        for (WorkDeque<Node> deque : victims) {
            if (!deque.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** A worker found nothing to run: a thread may wait for what the worker did last. */
    void outOfWork() {
        signal();
    }

    private void loop(Worker worker) {
        Thread current = Thread.currentThread();
        try {
            if (worker.role() == Worker.Role.HOST) {
                binding.bind(worker.index()); // for the thread's life
            }
            while (!closed) {
                Step step = worker.step();
                Worker.forgetInterrupt(current);
                if (step == Step.LOOK_AGAIN) {
                    Thread.onSpinWait();
                } else if (step == Step.SLEEP) {
                    while (worker.isSleeping()) {
                        LockSupport.park(this);
                        Thread.interrupted(); // one that came late: while it is set, no thread can park
                    }
                }
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    /** Ends the engine: every wait throws the reason, the first of several. */
    @Override
    public void fail(Throwable e) {
        broken.compareAndSet(null, e); // first: it may be the stack that is full
        news.end();
        waiters.signalAll();
        LOG.log(Level.ERROR, "the engine stops", e);
    }

    private @Nullable Worker workerOf(@Nullable Thread thread) {
        for (Worker worker : workers) {
            if (worker.thread() == thread) {
                return worker;
            }
        }
        return null;
    }

    // ---- end

    /** Ends the threads after the node that each of them runs. Nodes that are still queued do not run any more. */
    @Override
    public void close() {
        closed = true; // volatile, like what is read next: who announces its sleep later sees it
        news.end();
        for (Worker worker : workers) {
            worker.wake();
        }
        waiters.signalAll();
        List<Thread> ending = new ArrayList<>(threads);
        Thread timer = timers.close();
        if (timer != null) {
            ending.add(timer);
        }
        for (Thread thread : ending) {
            if (thread != Thread.currentThread()) {
                Threads.join(thread);
            }
        }
    }
}
