package dev.jacquard.engine;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.work.Node;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The workers of an engine under virtual time. Each takes its steps on its own thread, of which one runs at a time. A
 * body that takes time gives its turn away until the clock stands at its end. Of one moment all ends come first, by the
 * numbers of the workers; then the workers that are awake take steps, by theirs, until all sleep or run a body.
 *
 * <p>Threads: made, used and closed by one.
 */
public final class VirtualWorkers implements AutoCloseable {
    /** The time before the first node: all workers have slept for long by then. */
    private static final long START = 1_000_000_000;

    private final VirtualClock clock = new VirtualClock();
    private final Engine engine;
    private final Lane[] lanes;
    /** Released by the lane that gives its turn away. */
    private final Semaphore turn = new Semaphore(0);

    private volatile boolean closed;
    /** Written by a lane before it gives its turn away. */
    private volatile @Nullable Throwable failure;

    /** Makes workers that sleep as soon as they find nothing. */
    public VirtualWorkers(int workers, Policy policy) {
        EngineOptions options = new EngineOptions(workers, 0).withPolicy(policy);
        this.engine = new Engine(options, new Trace(clock, 0));
        this.lanes = new Lane[workers];
        for (int i = 0; i < workers; i++) {
            lanes[i] = new Lane(engine.pool().crew.all()[i]);
        }
    }

    /** Returns the nanoseconds since the begin of {@link #run}. */
    public long now() {
        return clock.now - START;
    }

    /** Called by a body: takes that long. */
    public void spend(long nanos) {
        Lane lane = lanes[indexOf(Thread.currentThread())];
        lane.wakesAt = clock.now + nanos;
        lane.inBody = true;
        turn.release();
        lane.turn.acquireUninterruptibly();
        lane.inBody = false;
    }

    private int indexOf(Thread thread) {
        for (int i = 0; i < lanes.length; i++) {
            if (lanes[i].thread == thread) {
                return i;
            }
        }
        throw new IllegalStateException(thread + " is no worker's");
    }

    /** Runs nodes, which are ready now, and all that they make ready. */
    public void run(List<? extends Node> ready) {
        settle(); // all workers sleep, and none is away
        clock.now = START;
        ready.forEach(engine::ready);
        settle();
        for (long next = nextEnd(); next < Long.MAX_VALUE; next = nextEnd()) {
            clock.now = next;
            for (Lane lane : lanes) {
                if (lane.inBody && lane.wakesAt == next) {
                    give(lane);
                }
            }
            settle();
        }
    }

    private long nextEnd() {
        long next = Long.MAX_VALUE;
        for (Lane lane : lanes) {
            next = lane.inBody ? Math.min(next, lane.wakesAt) : next;
        }
        return next;
    }

    private void settle() {
        boolean stepped = true;
        while (stepped) {
            stepped = false;
            for (Lane lane : lanes) {
                if (!lane.inBody && !(lane.last == Step.SLEEP && lane.worker.isSleeping())) {
                    give(lane);
                    stepped = true;
                }
            }
        }
    }

    private void give(Lane lane) {
        lane.turn.release();
        turn.acquireUninterruptibly();
        Throwable its = failure;
        if (its != null) {
            throw new AssertionError("worker " + lane.worker.index() + ": " + its, its);
        }
        engine.requireUnbroken();
    }

    @Override
    public void close() {
        closed = true;
        for (Lane lane : lanes) {
            lane.turn.release();
        }
    }

    /** A worker and its thread. Fields are written by the thread that has the turn. */
    private final class Lane {
        private final Worker worker;
        private final Semaphore turn = new Semaphore(0);
        private final Thread thread;
        private Step last = Step.RAN;
        private boolean inBody;
        private long wakesAt;

        Lane(Worker worker) {
            this.worker = worker;
            this.thread = Thread.ofPlatform().daemon().unstarted(this::play);
            worker.bind(thread);
            thread.start();
        }

        private void play() {
            turn.acquireUninterruptibly();
            while (!closed) {
                try {
                    last = worker.step(false);
                } catch (Throwable e) {
                    failure = e;
                }
                VirtualWorkers.this.turn.release();
                turn.acquireUninterruptibly();
            }
        }
    }

    /** Read by all, written by the thread that runs the workers while it has the turn. */
    private static final class VirtualClock implements Clock {
        private volatile long now;

        @Override
        public long nanoTime() {
            return now;
        }
    }
}
