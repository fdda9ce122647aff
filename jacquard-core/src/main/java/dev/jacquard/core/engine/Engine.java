package dev.jacquard.core.engine;

import dev.jacquard.core.clock.Clock;
import dev.jacquard.core.graph.Node;
import dev.jacquard.core.trace.Trace;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The workers, the inbox, those who sleep and those who wait. The package documentation has the protocols.
 */
public final class Engine implements Workers, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Engine.class.getName());

    private static final VarHandle SLEEPERS;

    static {
        try {
            SLEEPERS = MethodHandles.lookup().findVarHandle(Engine.class, "sleepers", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Worker[] workers;
    private final boolean alone;
    private final Trace trace;
    private final ConcurrentLinkedQueue<Node> inbox = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();

    /** How many workers have announced that they sleep. Changed by getAndAdd, which is also the fence of the protocol. */
    @SuppressWarnings("unused") // through SLEEPERS
    private int sleepers;

    /** Guarded by itself. */
    private final List<Thread> waiters = new ArrayList<>();
    /** The size of {@link #waiters}. Written under its monitor, read without. */
    private volatile int waiting;

    private volatile boolean closed;
    /** What ended the engine before its time. Written once, by a worker. */
    private volatile @Nullable Throwable broken;

    /**
     * Workers, of which the calling thread is number 0. No thread runs before {@link #start}.
     *
     * @param options how many, and how they behave
     * @param trace where their spans go
     */
    public Engine(EngineOptions options, Trace trace) {
        this.trace = trace;
        this.alone = options.workers() == 1;
        this.workers = new Worker[options.workers()];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Worker(this, i, workers.length, trace.lane("worker " + i), options.patience());
        }
        workers[0].bind(Thread.currentThread());
    }

    /** Starts the threads of all workers but the first. */
    public Engine start() {
        for (int i = 1; i < workers.length; i++) {
            Worker worker = workers[i];
            Thread thread =
                    Thread.ofPlatform().daemon().name("jacquard-worker-" + i).unstarted(() -> loop(worker));
            worker.bind(thread);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
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
    public Trace trace() {
        return trace;
    }

    @Override
    public void ready(Node node) {
        Thread current = Thread.currentThread();
        for (Worker worker : workers) {
            if (worker.thread() == current) {
                worker.ready(node);
                return;
            }
        }
        inbox.add(node); // a volatile write: it stands before the volatile read in wakeOne()
        wakeOne();
    }

    @Override
    public void awaitUntil(BooleanSupplier done) throws InterruptedException {
        Thread current = Thread.currentThread();
        Worker mine = workerOf(current);
        if (mine != null && (mine.isRunning() || mine.index() != 0)) {
            throw new IllegalStateException(
                    "a task must not wait for others: submit what comes after as a task of its own");
        }
        try {
            while (!done.getAsBoolean()) {
                requireAlive(current);
                Step step = mine == null ? Step.SLEEP : help(mine);
                if (step == Step.LOOK_AGAIN) {
                    Thread.onSpinWait();
                } else if (step == Step.SLEEP) {
                    sleepUntil(done, mine);
                }
            }
        } finally {
            if (mine != null) {
                mine.leave();
                signal(); // what this thread ran last may be what another waits for
            }
        }
    }

    @Override
    public boolean isInsideNode() {
        Worker mine = workerOf(Thread.currentThread());
        return mine != null && mine.isRunning();
    }

    /** A step of the opener's. A node that throws ends the engine, whichever worker runs it. */
    private Step help(Worker mine) {
        try {
            return mine.step();
        } catch (Throwable e) {
            fail(e);
            return Step.LOOK_AGAIN;
        }
    }

    /** Sleeps until {@code done}, or until there is something that {@code mine} could run. */
    private void sleepUntil(BooleanSupplier done, @Nullable Worker mine) throws InterruptedException {
        Thread current = Thread.currentThread();
        synchronized (waiters) {
            waiters.add(current);
            waiting = waiters.size();
        }
        VarHandle.fullFence(); // pairs with the one in signal() and outOfWork()
        try {
            while (!done.getAsBoolean() && broken == null && (mine == null || mine.isSleeping())) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                if (mine == null && closed) {
                    return;
                }
                LockSupport.park(this);
            }
        } finally {
            synchronized (waiters) {
                waiters.remove(current);
                waiting = waiters.size();
            }
            if (mine != null && !mine.wake()) {
                announce(); // somebody woke this worker for a node that it may now leave to others
            }
        }
    }

    private void requireAlive(Thread current) throws InterruptedException {
        Throwable why = broken;
        if (why != null) {
            throw new IllegalStateException("the engine ended because of " + why, why);
        }
        if (closed) {
            throw new IllegalStateException("the engine is closed");
        }
        if (current.isInterrupted() && Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    @Override
    public void signal() {
        VarHandle.fullFence(); // what changed before is seen by whoever is not yet seen here
        wakeWaiters();
    }

    /** Whether anybody sleeps until something changes. */
    boolean hasWaiters() {
        return waiting != 0;
    }

    void wakeWaiters() {
        if (waiting != 0) {
            synchronized (waiters) {
                waiters.forEach(LockSupport::unpark);
            }
        }
    }

    @Override
    public void background(Runnable code) {
        Thread.startVirtualThread(code);
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

    // ---- what workers ask

    Worker[] workerArray() {
        return workers;
    }

    @Nullable
    Node fromInbox() {
        return inbox.isEmpty() ? null : inbox.poll();
    }

    /** A node went into a queue: wakes a worker when one sleeps. */
    void announce() {
        if (!alone) {
            VarHandle.fullFence(); // pairs with the getAndAdd in sleeps(): the queue's new node stands before the look
            wakeOne();
        }
    }

    /**
     * Wakes a worker when one sleeps. The caller's queued node stands before the look: by a fence, by the inbox's volatile
     * write, or because the caller was woken for it.
     */
    void wakeOne() {
        if ((int) SLEEPERS.getVolatile(this) != 0) { // pairs with the getAndAdd in sleeps()
            for (Worker worker : workers) {
                if (worker.wake()) {
                    return;
                }
            }
        }
    }

    /** How many workers are counted as asleep right now; for tests. */
    int sleepers() {
        return (int) SLEEPERS.getAcquire(this);
    }

    void sleeps(int more) {
        SLEEPERS.getAndAdd(this, more);
    }

    boolean hasInbox() {
        return !inbox.isEmpty();
    }

    boolean hasWork() {
        if (hasInbox()) {
            return true;
        }
        for (Worker worker : workers) {
            if (worker.hasQueued()) {
                return true;
            }
        }
        return closed;
    }

    /** A worker found nothing to run: what it did last may be what somebody waits for. */
    void outOfWork() {
        signal();
    }

    private void loop(Worker worker) {
        Thread current = Thread.currentThread();
        try {
            while (!closed) {
                Step step = worker.step();
                if (current.isInterrupted()) {
                    // A body left it behind: the next must not see it, nor must it keep this thread awake.
                    Thread.interrupted();
                }
                if (step == Step.LOOK_AGAIN) {
                    Thread.onSpinWait();
                } else if (step == Step.SLEEP) {
                    while (worker.isSleeping()) {
                        LockSupport.park(this);
                    }
                }
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    private void fail(Throwable e) {
        LOG.log(Level.ERROR, "a worker ended; the engine stops", e);
        broken = e;
        signal();
    }

    private @Nullable Worker workerOf(Thread thread) {
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
        for (Worker worker : workers) {
            worker.wake();
        }
        signal();
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread != Thread.currentThread() && thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
