package dev.jacquard.engine.work;

import dev.jacquard.base.trace.TraceLane;

/** The worker as seen by the node that it runs. Valid during {@link Node#run} and for that thread only. */
public interface WorkerContext {
    /** As the number of helpers of a loop: as many as there are. */
    int ALL_HELP = Integer.MAX_VALUE;

    /** Returns the number of the worker: 0 to workers - 1. */
    int index();

    /**
     * Returns the number of nodes that the worker has found and run, with the running one. A node that was made ready
     * and runs as the next one had no other in between. Other threads see about the number.
     */
    default int nodes() {
        return 0;
    }

    /** Returns where this worker's spans go. */
    TraceLane lane();

    /** Makes {@code node} ready now: this worker or one that steals will run it. Never blocks. */
    void ready(Node node);

    /**
     * Makes {@code node} ready as the last thing that the running node does. Of several such nodes the last runs next
     * on this worker and goes through no queue; the others are announced together.
     */
    default void readyAtEnd(Node node) {
        ready(node);
    }

    /**
     * Makes {@code node}, which any worker of the host may run, ready as one of the last actions of the running node,
     * in addition to the node that runs next: it goes to a queue, and is announced with the others.
     */
    default void readyBeside(Node node) {
        ready(node);
    }

    /**
     * Makes {@code node} ready as one of the last actions of the running node. Nodes that the running node made ready
     * before, or makes ready at the end later, run first on this worker, the newest of them next; so do nodes that were
     * ready here when the running node had its turn as the oldest. But no more than 16 nodes come before, and nodes
     * made ready by {@link #readyBeside} may come later. So a node that begins again lets its consequences run first,
     * while their data is in the caches. A hint: where a policy or a place decides, the node is made ready like others
     * at the end.
     */
    default void readyBehind(Node node) {
        readyAtEnd(node);
    }

    /**
     * Asked by a node that is done, but for its part {@code step} that is ready now: returns true if this worker goes
     * on with that part at once, as if it were a separate node that went through no queue. Else the node makes ready
     * the node that stands for the part. Announces the nodes made ready before. A node's {@link Node#part} says which
     * part that is.
     */
    default boolean goesOn(int step) {
        return false;
    }

    /**
     * Called by a node that found only that it has to wait, and is made ready again later: the time of its run does not
     * count as the time that it takes.
     */
    default void ranNothing() {}

    /**
     * Runs {@code body} for all of {@code from} to {@code to - 1}, in parts of {@code grain} numbers, and returns when
     * all are done. This thread takes part; host workers that have nothing else to do help, and no others, so the
     * machine is never asked for more than its workers. During the loop this thread runs nothing but the body. May be
     * called by the body too.
     *
     * <p>The exception of the body is thrown here, once, when no part runs any more; parts that had not begun are left
     * out. Exceptions of other parts are suppressed in it.
     *
     * <p>Where the {@link ThreadFunction} that runs the loop is interrupted, so are the other threads that run a part,
     * and no part begins any more. The loop ends, when no part runs, with the exception of a part, or else with a
     * {@link java.util.concurrent.CancellationException} if parts were left out. An interrupt never reaches a thread
     * that has left its part.
     *
     * @param grain numbers per part, at least 1: worth a few microseconds
     * @throws IllegalArgumentException when the grain is less than 1, or the range longer than half of a long's
     */
    default void parallelFor(long from, long to, long grain, RangeBody body) throws Exception {
        parallelFor(from, to, grain, ALL_HELP, body);
    }

    /**
     * Runs a loop like {@link #parallelFor(long, long, long, RangeBody)}, with {@code helpers} other workers at a time
     * at most.
     *
     * @throws IllegalArgumentException also when that is below 0
     */
    default void parallelFor(long from, long to, long grain, int helpers, RangeBody body) throws Exception {
        if (from < to) {
            body.run(from, to);
        }
    }
}
