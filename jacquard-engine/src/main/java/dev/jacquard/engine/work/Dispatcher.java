package dev.jacquard.engine.work;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.model.TimeModel;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a graph's ready nodes go, and how to wait for them. Implemented by the engine, which graphs do not know.
 *
 * <p>Threads: every method may be called by any thread.
 */
public interface Dispatcher {
    /** See {@link #runNow}. */
    int NOT_RUN = -2;
    /** See {@link #runNow}. */
    int AMONG_OTHERS = -1;

    /**
     * The number of threads that run nodes: host threads, the one that opened the session (while it waits) included,
     * threads that serve targets, and the main thread. At least 1; a worker's index is below.
     */
    int workers();

    /** Returns the number of threads that run nodes for the host. Constant. */
    default int hostWorkers() {
        return 1;
    }

    /** Returns true if there is a main thread, so that nodes for {@link Place#MAIN} may be made ready. Constant. */
    default boolean hasMain() {
        return false;
    }

    /** The places that have threads to run nodes, {@link Place#HOST} first; the main thread is not listed. Constant. */
    default List<Place> places() {
        return List.of(Place.HOST);
    }

    /** The place that is called {@code name}; null when there is none. A kind of devices is no place. */
    default @Nullable Place place(ExecutionTarget name) {
        for (Place place : places()) {
            if (place.name().equals(name.name())) {
                return place;
            }
        }
        return null;
    }

    /**
     * One of {@link MachineState#places} for {@code task}, as the scheduling policy says. A wrong answer of the policy
     * ends the run, and the first place is returned.
     */
    default Place choose(ReadyTask task, MachineState machine) {
        return machine.places().getFirst();
    }

    /** Returns the times that tasks took at places so far. */
    default TimeModel times() {
        throw new UnsupportedOperationException("no times here");
    }

    /** Returns the questions of the scheduling policy, so that graphs keep ready what it needs. Constant. */
    default PolicyQuestions policyQuestions() {
        return PolicyQuestions.NONE;
    }

    /**
     * Tells the scheduling policy of a task that has its edges and cannot become ready yet; the policy may add others.
     * An exception of the policy ends the run, and is not thrown here.
     */
    default void submitted(ReadyTask task, ReadyTask.Edges edges) {}

    /**
     * As the scheduling policy says: of several tasks that wait for one unordered resource the one with the least rank
     * comes first.
     */
    default long rank(ReadyTask task) {
        return 0;
    }

    /**
     * Makes {@code node} ready from wherever the caller is. Never blocks.
     *
     * @throws IllegalStateException when no worker serves the node's place
     */
    void ready(Node node);

    /**
     * Runs {@code node}, which is ready, before it returns, if the calling thread is a host worker's outside of nodes
     * and no other thread should: there are no other workers, or at least {@code enough} nodes wait for them with this
     * one.
     *
     * @return the index of the worker that ran it, while others are given nothing, so that all may be over;
     *     {@link #AMONG_OTHERS} when it ran while others have enough; {@link #NOT_RUN} when nothing has happened
     */
    default int runNow(Node node, int enough) {
        return NOT_RUN;
    }

    /**
     * Runs ready nodes, if the calling thread is a worker's, until {@code enough} answers true or there is none for it.
     * Never waits. Inside of a node too, which goes on after them.
     */
    default void runReady(BooleanSupplier enough) {}

    /**
     * Returns when {@code done} answers true. Until then the thread that opened the session runs ready nodes, the main
     * thread the main nodes; any other thread sleeps. {@code done} is asked again after each node that this thread ran,
     * after each {@link #signal()}, and when a worker has run out of work; it must be cheap and is called by this
     * thread only.
     *
     * @throws IllegalStateException when called from inside a node: a node must not wait; or when the engine itself
     *     failed
     */
    void awaitUntil(BooleanSupplier done) throws InterruptedException;

    /**
     * Like {@link #awaitUntil}, until {@code flag} is up. A worker looks at it inside of a node too, between two of its
     * parts; see {@link WorkerContext#goesOn}.
     *
     * @throws IllegalStateException like {@link #awaitUntil}
     */
    default void awaitFlag(WaitFlag flag) throws InterruptedException {
        awaitUntil(flag);
    }

    /**
     * Returns when {@code wait} is over, which the thread that ends it says. Until then the thread that opened the
     * session runs ready nodes that the wait {@linkplain Wait#needs needs}, others only when it is the only worker; the
     * main thread runs main nodes, and any other thread sleeps.
     *
     * @throws IllegalStateException like {@link #awaitUntil}
     */
    default void await(Wait wait) throws InterruptedException {
        awaitUntil(wait::isOver);
    }

    /** Returns true if the calling thread runs a node right now. */
    default boolean isInsideNode() {
        return false;
    }

    /** The node that the calling thread runs right now; null when it runs none. */
    default @Nullable Node current() {
        return null;
    }

    /**
     * Runs a loop from inside a node, on the worker that runs it and {@code helpers} at most that have nothing else to
     * do; see {@link WorkerContext#parallelFor(long, long, long, int, RangeBody)}. Elsewhere alone.
     *
     * @param of cancels the loop: no part begins after it was cancelled
     */
    default void loop(long from, long to, long grain, int helpers, RangeBody body, CancelSignal of) throws Exception {
        if (from < to) {
            body.run(from, to);
        }
    }

    /** The run cannot go on, for that reason: every wait, now and later, throws it. */
    default void fail(Throwable why) {
        throw new UnsupportedOperationException("no thread waits here", why);
    }

    /** Throws the reason if the run cannot go on; see {@link #fail}. */
    default void requireUnbroken() {}

    /**
     * Does {@code action}, on a thread that runs no nodes, when {@link #fail} has ended the run; perhaps several times,
     * while workers still run nodes that they had begun. To be called once, before any node is ready.
     */
    default void whenBroken(Runnable action) {}

    /** Makes each {@link #awaitUntil} ask again: something has changed. Cheap when no thread waits. */
    void signal();

    /**
     * Runs {@code action} once, when that much time has passed on the session's clock, on the timers' own thread, of
     * which there is one: for a short action that calls no users' code and takes no lock under which users' code runs.
     * It is not late however busy other threads are; it hands users' code to {@link #runUserCode}. Its exception is
     * logged. No action begins after the session's end.
     *
     * @param nanosFromNow 0 or less: as soon as possible
     */
    default Timer scheduleOnTimer(long nanosFromNow, Runnable action) {
        throw new UnsupportedOperationException("no timers here");
    }

    /**
     * Runs {@code action}, which calls users' code: on the calling thread or, where that is the timers' own, on a
     * {@linkplain #background background} thread.
     */
    default void runUserCode(Runnable action) {
        action.run();
    }

    /**
     * Runs {@code action} outside of the workers, for users' code that may compute, block, or wait for other such code.
     * A platform thread that has become idle runs it, or a new one: no action waits for another. The action has the
     * context class loader of the calling thread, and no inheritable thread locals. A thread ends some seconds after
     * its last action, or with the session. The exception of an action is logged. No thread waits for it.
     */
    default void background(Runnable action) {
        throw new UnsupportedOperationException("no background threads here");
    }

    /** Shows the activity of the workers and the nodes that wait for them, while they go on. Holds no worker up. */
    default void visit(NodeVisitor visitor) {}

    /** The clock by which time passes for tasks; the trace's, too. */
    default Clock clock() {
        return trace().clock();
    }

    /** Returns where spans go. */
    Trace trace();

    /**
     * The questions of a scheduling policy.
     *
     * @param readyTasks true if it looks at ready tasks, so that they should know their number and depth
     * @param submissions true if {@link Dispatcher#submitted} is to be called for each task
     * @param weighsHost true if it weighs the host's workers against devices for kernels that have a side for the host
     */
    record PolicyQuestions(boolean readyTasks, boolean submissions, boolean weighsHost) {
        static final PolicyQuestions NONE = new PolicyQuestions(false, false, false);
    }

    /** An action that is to run later, once; see {@link Dispatcher#scheduleOnTimer}. Threads: any. */
    @FunctionalInterface
    interface Timer {
        /**
         * Keeps the action from running. Whether this call did so: false when it has begun, or was cancelled before.
         */
        boolean cancel();

        /** Returns true if the time of the action has come, whether or not a thread has begun to run it. */
        default boolean isDue() {
            return false;
        }
    }
}
