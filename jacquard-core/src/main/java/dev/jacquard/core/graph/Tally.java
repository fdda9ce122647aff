package dev.jacquard.core.graph;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts a graph's tasks without a shared counter: one lane per worker, a cache line apart, and the submitter's own.
 *
 * <p>Whether all is over is told without stopping anybody: the ended are read first, the submitted after. Both only grow and
 * a task is submitted before it ends, so when the sums are equal they were equal at the moment between the readings.
 */
final class Tally {
    /** Longs per worker: two cache lines, since lines are fetched in pairs. */
    private static final int STRIDE = 16;

    private static final VarHandle LANES = MethodHandles.arrayElementVarHandle(long[].class);
    /**
     * Per worker, per end: written by that worker with release, read with acquire. Then what was submitted: written by submitters, one
     * at a time, likewise.
     */
    private final long[] lanes;
    /** Where the submitters' count is: behind the workers', on a line of its own like theirs. */
    private final int submitters;

    Tally(int workers) {
        lanes = new long[(workers + 2) * STRIDE];
        submitters = workers * STRIDE + STRIDE / 2;
    }

    /** By one submitter at a time. */
    void submit() {
        LANES.setRelease(lanes, submitters, lanes[submitters] + 1);
    }

    void end(int worker, TaskState last) {
        int at = index(worker, last);
        LANES.setRelease(lanes, at, lanes[at] + 1);
    }

    long ended(TaskState last) {
        long sum = 0;
        for (int at = index(0, last); at < submitters; at += STRIDE) {
            sum += (long) LANES.getAcquire(lanes, at);
        }
        return sum;
    }

    /** How many have ended; never more than have. */
    long ended() {
        return ended(TaskState.DONE) + ended(TaskState.FAILED) + ended(TaskState.CANCELLED);
    }

    long submitted() {
        return (long) LANES.getAcquire(lanes, submitters);
    }

    /** How many are not over; at most so many. */
    long live() {
        long ended = ended();
        return submitted() - ended;
    }

    boolean allEnded() {
        long ended = ended();
        return ended == submitted();
    }

    private static int index(int worker, TaskState last) {
        int kind = last.code() - TaskState.DONE.code();
        if (kind < 0) {
            throw new IllegalArgumentException(last + " is not an end");
        }
        return worker * STRIDE + STRIDE / 2 + kind;
    }
}
