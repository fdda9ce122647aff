package dev.jacquard.engine;

import dev.jacquard.engine.work.ThreadFunction;
import dev.jacquard.engine.work.Wait;
import dev.jacquard.engine.work.WaitFlag;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The loop of a thread that waits: a user's worker takes steps, others sleep. Threads: any. */
final class WaitLoop {
    /**
     * How long a thread sleeps between two looks at ready nodes, while none of them has anything to do with its wait.
     */
    private static final long NAP_NANOS = 500_000;

    /** The way in which a thread that waits learns that it may go on. */
    enum Kind {
        /** The thread asks again whenever something has changed. */
        ASKS,
        /** The thread asks, and may go on also when the engine is closed, which else is an error. */
        ASKS_UNTIL_CLOSED,
        /** The thread that ends the wait wakes it. */
        IS_TOLD
    }

    private final WorkerPool pool;
    private final Waiters waiters;
    private final Ending ending;
    private final EngineThreads threads;

    WaitLoop(WorkerPool pool, EngineThreads threads) {
        this.pool = pool;
        this.threads = threads;
        this.waiters = pool.waiters;
        this.ending = pool.ending;
    }

    /**
     * Waits until {@code done}.
     *
     * @param wait the event that it waits for; null when the engine does not know it
     * @param mine the calling thread's worker; null when it has none
     * @param kind how it learns of that
     * @throws IllegalStateException inside of a node
     */
    void await(BooleanSupplier done, @Nullable Wait wait, @Nullable Worker mine, Kind kind)
            throws InterruptedException {
        await(done, wait, null, mine, kind);
    }

    /** Waits until {@code flag} is up, at which the worker looks between the parts of a node too. */
    void await(WaitFlag flag, @Nullable Worker mine) throws InterruptedException {
        await(flag, null, flag, mine, Kind.ASKS);
    }

    @SuppressWarnings("Finally") // the error at the end counts more: the run ends by it
    private void await(
            BooleanSupplier done, @Nullable Wait wait, @Nullable WaitFlag flag, @Nullable Worker mine, Kind kind)
            throws InterruptedException {
        if (mine != null) {
            if (mine.isRunning() || !mine.isLent()) {
                throw new IllegalStateException("the body of a task must not wait for other tasks:"
                        + " submit the rest of the body as a separate task");
            }
            mine.arrive(wait, flag);
        }
        try {
            pool.watch.begin(); // after the arrival: the watch goes on for either
            while (!done.getAsBoolean() && !isOver(done, kind == Kind.ASKS_UNTIL_CLOSED)) {
                Step step = mine == null ? Step.SLEEP : help(mine, done, flag != null);
                if (step == Step.LOOK_AGAIN) {
                    Thread.onSpinWait();
                } else if (step == Step.NAP) {
                    nap(done, kind == Kind.IS_TOLD);
                } else if (step == Step.SLEEP) {
                    sleepUntil(done, mine, kind == Kind.IS_TOLD);
                }
            }
        } finally {
            if (mine != null) {
                try {
                    mine.leave();
                    waiters.signal(); // another thread may wait for the last node of this one
                } catch (VirtualMachineError e) { // nodes may be left where no other worker looks
                    ending.broken.by = e; // a field, since there may be no stack left for a call
                    throw e;
                }
            }
        }
    }

    /**
     * Steps of the waiting thread's worker, as long as they find nodes and it waits. A function around the wait is
     * paused during the steps; an interrupt that is due to it ends the wait. A node that throws ends the engine,
     * whichever worker runs it.
     */
    private Step help(Worker mine, BooleanSupplier done, boolean goesOn) {
        ThreadFunction function = ThreadFunction.pauseInnermost();
        Step step = Step.LOOK_AGAIN;
        try {
            if (function == null || !Thread.currentThread().isInterrupted()) { // one that came before ends the wait too
                do {
                    step = step(mine, goesOn);
                } while (step == Step.RAN
                        && !done.getAsBoolean() // which may be the user's, and throw
                        && ending.goesOn()
                        && (function == null || !function.isDue()));
            }
        } finally {
            if (function != null) {
                function.goOn();
            }
        }
        return step;
    }

    private Step step(Worker mine, boolean goesOn) {
        Step step = Step.LOOK_AGAIN;
        try {
            step = mine.step(goesOn);
        } catch (Throwable e) {
            if (ending.broken.by == null) { // a field, since there may be no stack left for a call
                ending.broken.by = e;
            }
            ending.fail(e);
        }
        if (step == Step.RAN) {
            Worker.forgetInterrupt(Thread.currentThread());
        }
        return step;
    }

    /** Sleeps until {@code done}, or until there is something that {@code mine} could run. */
    @SuppressWarnings("Finally") // the error at the end counts more: the run ends by it
    private void sleepUntil(BooleanSupplier done, @Nullable Worker mine, boolean untilTold)
            throws InterruptedException {
        waiters.add(untilTold); // before the question
        try {
            while (sleeps(done, mine)) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                // The look, and a question of the user's, may wait for a lock, which uses up this thread's wake-up.
                pool.watch.look();
                long turn = waiters.turn();
                if (sleeps(done, mine) && turn == waiters.turn()) {
                    pool.watch.park();
                }
            }
        } finally {
            try {
                waiters.remove(untilTold);
                if (mine != null && !mine.wake()) {
                    pool.announce(); // this worker was woken for a node that it may now leave to others
                }
            } catch (VirtualMachineError e) { // others may try to wake this thread for their nodes
                ending.broken.by = e; // a field, since there may be no stack left for a call
                throw e;
            }
        }
    }

    /** Returns true if there is nothing to wake up for. */
    private boolean sleeps(BooleanSupplier done, @Nullable Worker mine) {
        return !done.getAsBoolean() && !ending.isBroken() && (mine == null ? !ending.isClosed() : mine.isSleeping());
    }

    /** Sleeps for a short time, or until the thread's wait is over. */
    private void nap(BooleanSupplier done, boolean untilTold) {
        waiters.add(untilTold); // before the question
        try {
            if (!done.getAsBoolean() && !ending.isBroken() && !ending.isClosed()) {
                pool.watch.nap(NAP_NANOS);
            }
        } finally {
            waiters.remove(untilTold);
        }
    }

    /**
     * Returns true if a wait that lasts until the engine is closed is over; throws when no wait makes sense any more.
     */
    private boolean isOver(BooleanSupplier done, boolean untilClosed) throws InterruptedException {
        ending.requireUnbroken();
        boolean closed = ending.isClosed();
        if (closed && !untilClosed) {
            threads.joinWorkers(); // one of them may be about to bring the event, and closing waits for it, too
            if (done.getAsBoolean()) {
                return true;
            }
            throw new IllegalStateException("the engine is closed");
        }
        if (Thread.currentThread().isInterrupted() && Thread.interrupted()) {
            throw new InterruptedException();
        }
        return closed;
    }
}
