package dev.jacquard.flow.testing;

import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.base.trace.TraceLane;
import dev.jacquard.engine.Workers;
import dev.jacquard.engine.work.Dispatcher.Timer;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * One thread that runs ready nodes in an order drawn from a seed: the same seed, the same run. Time is virtual: every
 * reading is a random step later, so that batches grow and shrink.
 *
 * <p>Threads: confined to the test's.
 */
public final class SeededWorkers implements Workers, WorkerContext {
    private final Breakage broken = new Breakage();
    private final Random random;
    private final List<Node> ready = new ArrayList<>();
    private final List<Runnable> timers = new ArrayList<>();
    private final Trace trace;
    private final TraceLane lane;
    private final long largestStep;
    private long now;
    private boolean running;
    private long nodesRun;
    private Runnable beforeEach = () -> {};

    public SeededWorkers(long seed) {
        this(seed, 0);
    }

    public SeededWorkers(long seed, int traceCapacity) {
        this(seed, traceCapacity, 1);
    }

    /** Returns workers on which all items seem to take long, so that copies take one at a time. */
    public static SeededWorkers oneByOne(long seed) {
        return new SeededWorkers(seed, 0, 30_000);
    }

    private SeededWorkers(long seed, int traceCapacity, long smallestStep) {
        random = new Random(seed);
        largestStep = random.nextBoolean() ? 30_000 : 100;
        trace = new Trace(() -> now += smallestStep + random.nextLong(largestStep), traceCapacity);
        lane = trace.lane("seeded");
    }

    /** Called before each node: cancels, say. */
    public void beforeEach(Runnable action) {
        beforeEach = action;
    }

    public long nodesRun() {
        return nodesRun;
    }

    /** Runs up to {@code most} nodes. */
    public void runSome(int most) {
        for (int i = 0; i < most && !ready.isEmpty(); i++) {
            runOne();
        }
    }

    /** Runs the first ready node that {@code which} accepts; returns false if there is none. */
    public boolean runFirst(Predicate<Node> which) {
        for (int at = 0; at < ready.size(); at++) {
            if (which.test(ready.get(at))) {
                run(at);
                return true;
            }
        }
        return false;
    }

    private void runOne() {
        run(random.nextInt(ready.size()));
    }

    private void run(int at) {
        List<Runnable> due = List.copyOf(timers);
        timers.clear();
        due.forEach(Runnable::run);
        Node node = ready.set(at, ready.getLast());
        ready.removeLast();
        beforeEach.run();
        running = true;
        nodesRun++;
        node.run(this);
        running = false;
    }

    @Override
    public int workers() {
        return 1;
    }

    @Override
    public void ready(Node node) {
        if (ready.contains(node)) {
            throw new AssertionError("made ready twice: " + node);
        }
        ready.add(node);
    }

    @Override
    public void awaitUntil(BooleanSupplier done) throws InterruptedException {
        if (running) {
            throw new IllegalStateException("a node must not wait");
        }
        while (!done.getAsBoolean()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (ready.isEmpty()) {
                throw new AssertionError("deadlock: waiting, and no node is ready");
            }
            runOne();
        }
    }

    @Override
    public void signal() {}

    /** Runs {@code action} before the next node. */
    @Override
    public Timer schedule(long nanosFromNow, Runnable action) {
        timers.add(action);
        return () -> false;
    }

    @Override
    public Breakage broken() {
        return broken;
    }

    @Override
    public Thread dedicated(String name, Runnable body) {
        throw new UnsupportedOperationException("a seeded test has one thread");
    }

    @Override
    public Trace trace() {
        return trace;
    }

    @Override
    public int index() {
        return 0;
    }

    @Override
    public TraceLane lane() {
        return lane;
    }
}
