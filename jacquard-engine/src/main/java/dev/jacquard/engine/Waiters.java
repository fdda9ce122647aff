package dev.jacquard.engine;

import dev.jacquard.engine.schedule.PolicyException;
import dev.jacquard.engine.work.Pausable;
import dev.jacquard.engine.work.ThreadFunctions;
import dev.jacquard.engine.work.Wait;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait until something has changed, and how they wait: a user's worker takes steps meanwhile, others sleep.
 */
final class Waiters {
    /**
     * How long a thread sleeps between two looks at what is ready, while all that is has nothing to do with its wait.
     */
    private static final long NAP_NANOS = 500_000;
    /** Waking a thread costs as much as a hundred small nodes. */
    private static final long SOON_NANOS = 200_000;

    /** The way in which a thread that waits learns that it may go on. */
    enum Kind {
        /** The thread asks again whenever something has changed. */
        ASKS,
        /** The thread asks, and may go on also when the engine is closed, which else is an error. */
        ASKS_UNTIL_CLOSED,
        /** The thread that brings about what it waits for wakes it. */
        IS_TOLD
    }

    private final Engine engine;
    /** Guarded by itself. */
    private final List<Thread> asleep = new ArrayList<>();
    /** Threads that sleep until they are told. They are woken here only at the engine's end. */
    private final Set<Thread> told = ConcurrentHashMap.newKeySet();
    /** A timer will wake those who sleep. Set by who asks for that, unset by the timer before it does. */
    private final AtomicBoolean soon = new AtomicBoolean();

    /** The size of {@link #asleep}. Written under its monitor, read without. */
    private volatile int waiting;

    /** Set at most once, before any thread waits. */
    private StallWatch stallWatch = StallWatch.NONE;

    Waiters(Engine engine) {
        this.engine = engine;
    }

    /** Lets threads that wait look for stalls. Called before any thread waits. */
    void watch(StallWatch watch) {
        stallWatch = watch;
    }

    /** Notes that a thread waits, or runs ready nodes before it goes on: the watch looks for a while. */
    void beginWatch() {
        stallWatch.begin(engine);
    }

    /**
     * Waits until {@code done}.
     *
     * @param wait the event that it waits for; null when the engine does not know it
     * @param mine the calling thread's worker; null when it has none
     * @param kind how it learns of that
     */
    void await(BooleanSupplier done, @Nullable Wait wait, @Nullable Worker mine, Kind kind)
            throws InterruptedException {
        if (mine != null) {
            mine.arrive(wait);
        }
        try {
            stallWatch.begin(engine); // behind the arrival: the watch goes on for either
            while (!done.getAsBoolean() && !isOver(kind == Kind.ASKS_UNTIL_CLOSED)) {
                Step step = mine == null ? Step.SLEEP : help(mine, done);
                if (step == Step.LOOK_AGAIN) {
                    Thread.onSpinWait();
                } else if (step == Step.NAP) {
                    nap(done, kind);
                } else if (step == Step.SLEEP) {
                    sleepUntil(done, mine, kind);
                }
            }
        } finally {
            if (mine != null) {
                mine.leave();
                signal(); // what this thread ran last may be what another waits for
            }
        }
    }

    /**
     * Steps of the waiting thread's worker, as long as they find nodes and it waits; one inside of a function. A node
     * that throws ends the engine, whichever worker runs it.
     */
    private Step help(Worker mine, BooleanSupplier done) {
        Pausable function = ThreadFunctions.pauseInnermost();
        if (function != null) {
            Step step =
                    Thread.currentThread().isInterrupted() ? Step.LOOK_AGAIN : step(mine); // the wait ends with that
            function.goOn();
            return step;
        }
        Step step;
        do {
            step = step(mine);
        } while (step == Step.RAN && !done.getAsBoolean() && engine.goesOn());
        return step;
    }

    private Step step(Worker mine) {
        Step step = Step.LOOK_AGAIN;
        try {
            step = mine.step();
        } catch (Throwable e) {
            engine.fail(e);
        }
        if (step == Step.RAN) {
            Worker.forgetInterrupt(Thread.currentThread());
        }
        return step;
    }

    /** Sleeps until {@code done}, or until there is something that {@code mine} could run. */
    private void sleepUntil(BooleanSupplier done, @Nullable Worker mine, Kind kind) throws InterruptedException {
        goToSleep(kind);
        VarHandle.fullFence(); // pairs with the one in signal()
        try {
            while (!done.getAsBoolean() && !engine.isBroken() && (mine == null || mine.isSleeping())) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                if (mine == null && engine.isClosed()) {
                    return;
                }
                stallWatch.park(engine);
            }
        } finally {
            getUp(kind);
            if (mine != null && !mine.wake()) {
                engine.announce(); // this worker was woken for a node that it may now leave to others
            }
        }
    }

    /** Sleeps for a short time, or until what the thread waits for has happened. */
    private void nap(BooleanSupplier done, Kind kind) {
        goToSleep(kind);
        VarHandle.fullFence(); // as in sleepUntil()
        try {
            if (!done.getAsBoolean() && !engine.isBroken() && !engine.isClosed()) {
                stallWatch.nap(engine, NAP_NANOS);
            }
        } finally {
            getUp(kind);
        }
    }

    private void goToSleep(Kind kind) {
        Thread current = Thread.currentThread();
        if (kind == Kind.IS_TOLD) {
            told.add(current);
            return;
        }
        synchronized (asleep) {
            asleep.add(current);
            waiting = asleep.size();
        }
    }

    private void getUp(Kind kind) {
        Thread current = Thread.currentThread();
        if (kind == Kind.IS_TOLD) {
            told.remove(current);
            return;
        }
        synchronized (asleep) {
            asleep.remove(current);
            waiting = asleep.size();
        }
    }

    /**
     * Returns true if a wait that lasts until the engine is closed is over; throws when no wait makes sense any more.
     */
    private boolean isOver(boolean untilClosed) throws InterruptedException {
        Throwable why = engine.brokenBy();
        if (why instanceof PolicyException policy) {
            throw new PolicyException(policy);
        }
        if (why != null) {
            throw new IllegalStateException("the engine ended because of " + why, why);
        }
        boolean closed = engine.isClosed();
        if (closed && !untilClosed) {
            throw new IllegalStateException("the engine is closed");
        }
        if (Thread.currentThread().isInterrupted() && Thread.interrupted()) {
            throw new InterruptedException();
        }
        return closed;
    }

    /** Makes threads that wait ask again: something has changed. */
    void signal() {
        VarHandle.fullFence(); // a thread that is not yet seen here sees what has changed before
        wake();
    }

    /** The engine is of no use any more: every thread that sleeps is to see that. */
    void signalAll() {
        signal();
        told.forEach(LockSupport::unpark);
    }

    /** Returns true if a thread sleeps until something changes. */
    boolean any() {
        return waiting != 0;
    }

    /**
     * Lets those who sleep ask again in a while, once for all that is done until then: for who does much that they may
     * wait for, and does not know what is the last of it.
     */
    void wakeSoon() {
        if (!soon.getAndSet(true)) {
            engine.timers().schedule(SOON_NANOS, () -> {
                soon.getAndSet(
                        false); // read-modify-writes both: what was done before the other one is seen by who is woken
                signal();
            });
        }
    }

    /** Lets those who sleep ask again. */
    void wake() {
        if (waiting != 0) {
            synchronized (asleep) {
                asleep.forEach(LockSupport::unpark);
            }
        }
    }
}
