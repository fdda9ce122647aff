package dev.jacquard.engine;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.base.machine.Place;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.work.CancelSignal;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.NodeVisitor;
import dev.jacquard.engine.work.RangeBody;
import dev.jacquard.engine.work.ThreadFunction;
import dev.jacquard.engine.work.Wait;
import dev.jacquard.engine.work.WaitFlag;
import dev.jacquard.engine.work.WorkerContext;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The workers as fronts see them: how nodes and waits reach the workers, and how the engine begins and ends. The
 * package documentation has the protocols.
 */
public final class Engine extends PolicyFront implements AutoCloseable {
    private final WorkerPool pool;
    /**
     * All: the host's, of which number 0 is the thread that made the engine, the targets' workers, then the main one.
     */
    private final Worker[] workers;
    /** No deque has a thief. */
    private final boolean alone;

    private final Trace trace;
    private final List<Place> places;
    private final Waiters waiters;
    private final WaitLoop waitLoop;
    private final EngineThreads threads;
    private final @Nullable Thread main;

    /**
     * Workers, of which the calling thread is number 0, on the clock of their trace. No thread runs before
     * {@link #start}.
     *
     * @param options how many, and how they behave
     * @param trace where their spans go
     */
    public Engine(EngineOptions options, Trace trace) {
        this(new WorkerPool(options, trace), options);
    }

    private Engine(WorkerPool pool, EngineOptions options) {
        super(pool);
        this.pool = pool;
        this.workers = pool.crew.all();
        this.alone = pool.alone;
        this.trace = pool.trace;
        this.places = pool.places.all();
        this.waiters = pool.waiters;
        this.threads = new EngineThreads(pool);
        this.waitLoop = new WaitLoop(pool, threads);
        this.main = options.main();
    }

    /** Starts the threads of the host's workers but the first, and of the targets' workers. */
    public Engine start() {
        threads.start();
        return this;
    }

    /** An engine on the system's clock that traces nothing. */
    public static Engine of(int workers) {
        return new Engine(EngineOptions.of(workers), new Trace(Clock.system(), 0)).start();
    }

    @Override
    public boolean stallWatchThrew(Throwable its) {
        return pool.watch.threw(Objects.requireNonNull(its, "its"));
    }

    @Override
    public int workers() {
        return workers.length;
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
        return places;
    }

    @Override
    public void ready(Node node) {
        Worker mine = workerOf(Thread.currentThread());
        if (mine == null) {
            pool.send(node);
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
        ThreadFunction function = ThreadFunction.pauseInnermost();
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
        Objects.requireNonNull(enough, "enough");
        Thread current = Thread.currentThread();
        Worker mine = workerOf(current);
        // An interrupted thread is to hear of it in its next wait; the body would take it for its own.
        if (mine != null && !pool.ending.isBroken() && !current.isInterrupted()) {
            try {
                mine.runBetween(enough);
            } catch (Throwable e) {
                fail(e);
            }
        }
    }

    @Override
    public void awaitUntil(BooleanSupplier done) throws InterruptedException {
        Objects.requireNonNull(done, "done");
        waitLoop.await(done, null, workerOf(Thread.currentThread()), WaitLoop.Kind.ASKS);
    }

    @Override
    public void awaitFlag(WaitFlag flag) throws InterruptedException {
        Objects.requireNonNull(flag, "flag");
        waitLoop.await(flag, workerOf(Thread.currentThread()));
    }

    @Override
    public void await(Wait wait) throws InterruptedException {
        Objects.requireNonNull(wait, "wait");
        waitLoop.await(wait::isOver, wait, workerOf(Thread.currentThread()), WaitLoop.Kind.IS_TOLD);
    }

    /**
     * Runs main nodes on the main thread until {@code done} answers true or the engine is closed.
     *
     * @throws IllegalStateException when another thread calls it, or the engine failed
     */
    public void runMain(BooleanSupplier done) throws InterruptedException {
        if (Thread.currentThread() != main) {
            throw new IllegalStateException("only the main thread runs main tasks; it is "
                    + (main == null ? "none: the session was opened without" : Threads.name(main)) + ", and this is "
                    + Threads.name(Thread.currentThread()));
        }
        waitLoop.await(done, null, workerOf(Thread.currentThread()), WaitLoop.Kind.ASKS_UNTIL_CLOSED);
    }

    @Override
    public void loop(long from, long to, long grain, int helpers, RangeBody body, CancelSignal of) throws Exception {
        Objects.requireNonNull(body, "body");
        Objects.requireNonNull(of, "of");
        Worker mine = workerOf(Thread.currentThread());
        if (mine == null || !mine.isRunning()) {
            pool.loops.runAlone(from, to, grain, helpers, body, of);
        } else {
            pool.loops.run(from, to, grain, helpers, body, of);
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
    public void visit(NodeVisitor visitor) {
        for (Worker worker : workers) {
            worker.visit(visitor);
        }
        pool.news.visit(visitor);
        pool.places.visit(visitor, whenMainComes());
        if (pool.scheduler != null) {
            pool.scheduler.visit(visitor);
        }
    }

    /**
     * Calls {@code stalled} once whenever nothing has moved for {@code limitNanos} while a thread waits: no worker has
     * found anything to run, and the running bodies are blocked. It is called by a thread that waits, and its exception
     * comes out of that wait; or, while such threads run bodies themselves, by a background thread. To be called before
     * any thread waits.
     *
     * @param limitNanos more than 0
     * @param beside a number that changes whenever something moves that the engine does not know
     * @param stalled answers whether there was something to tell
     */
    public void watchStalls(long limitNanos, LongSupplier beside, BooleanSupplier stalled) {
        pool.watch = new StallWatch(pool.timers, pool.crew, limitNanos, beside, stalled);
    }

    private String whenMainComes() {
        Worker worker = workerOf(main);
        return worker == null || worker.isPresent()
                ? ""
                : ", " + worker.threadName() + ", which runs tasks while it is in await, join or runMain, and is not";
    }

    /** Ends the engine: every wait throws the reason, the first of several. */
    @Override
    public void fail(Throwable why) {
        Objects.requireNonNull(why, "why");
        pool.ending.fail(why);
    }

    /**
     * For code that expects a worker and is called by the thread that closed the engine, since no worker is left: the
     * context of the first worker, which is that thread. Nodes that become ready through it never run.
     */
    public WorkerContext lastContext() {
        return workers[0];
    }

    /** Returns the shared state of the workers. */
    WorkerPool pool() {
        return pool;
    }

    private @Nullable Worker workerOf(@Nullable Thread thread) {
        for (Worker worker : workers) {
            if (worker.thread() == thread) {
                return worker;
            }
        }
        return null;
    }

    /** Ends the threads after the node that each of them runs. Nodes that are still queued do not run any more. */
    @Override
    public void close() {
        pool.ending.close();
        for (Worker worker : workers) {
            worker.wake();
        }
        waiters.signalAll();
        threads.join();
    }
}
