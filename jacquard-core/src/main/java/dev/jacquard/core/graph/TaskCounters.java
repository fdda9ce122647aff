package dev.jacquard.core.graph;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts a graph's tasks without a shared counter: one lane per worker, a cache line apart, and a lane for the
 * submitters.
 *
 * <p>The check if all tasks are over stops no thread: the count of ended tasks is read first, that of submitted tasks
 * after. Both only grow, and a task is submitted before it ends, so when the sums are equal, they were equal at the
 * moment between the two reads.
 */
final class TaskCounters {
    /** The longs per worker: two cache lines, since lines are fetched in pairs. */
    private static final int STRIDE = 16;

    private static final int MOST_SKIPPED = 64;

    private static final VarHandle LANES = MethodHandles.arrayElementVarHandle(long[].class);
    /**
     * Per worker and kind of end, the number of tasks: written by that worker with release, read with acquire. After
     * them the number of submitted tasks: written by submitters, one at a time, with release, read with acquire.
     */
    private final long[] lanes;
    /**
     * The lane that {@link #allEnded(int)} looked at when all tasks were over. {@link #settledRest} is the number of
     * tasks that had not ended on that lane. By one submitter at a time, like the fields below.
     */
    private int settledLane = -1;

    private long settledRest;
    /**
     * One call of {@link #allEnded(int)} in this number, a power of two, looks at all lanes, since the looks before
     * found that not all tasks were over; 0 when the last look found that all were.
     */
    private int vainLooks;

    private int skipped;

    /** The index of the submitters' count: after the workers' counts, on its own cache line like theirs. */
    private final int submitters;

    TaskCounters(int workers) {
        lanes = new long[(workers + 2) * STRIDE];
        submitters = workers * STRIDE + STRIDE / 2;
    }

    /** Counts one more submitted task; returns the number submitted so far. By one submitter at a time. */
    long submit() {
        long now = lanes[submitters] + 1;
        LANES.setRelease(lanes, submitters, now);
        return now;
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

    /** Returns the number of tasks that have ended; may be too small, but never too large. */
    long ended() {
        return ended(TaskState.DONE) + ended(TaskState.FAILED) + ended(TaskState.CANCELLED);
    }

    long submitted() {
        return (long) LANES.getAcquire(lanes, submitters);
    }

    /** Returns an upper bound of the number of tasks that are not over. */
    long live() {
        long ended = ended();
        return submitted() - ended;
    }

    /**
     * Returns true if all tasks are over. Looks at all lanes only if not all tasks submitted since the last time that
     * all were over have ended on the lane of {@code worker}; and then seldom, while the looks are in vain. By one
     * submitter at a time.
     *
     * @return true if all tasks are known to be over; false also without a look
     */
    boolean allEnded(int worker) {
        if (worker == settledLane && submitted() - doneOn(worker) == settledRest) {
            return true;
        }
        if (vainLooks > 0 && (++skipped & (vainLooks - 1)) != 0) {
            return false;
        }
        boolean all = allEnded();
        vainLooks = all ? 0 : Math.min(MOST_SKIPPED, Math.max(1, 2 * vainLooks));
        if (all) {
            settledLane = worker;
            settledRest =
                    submitted() - doneOn(worker); // read after the look: nothing on that lane may end from here on
        }
        return all;
    }

    /**
     * Returns the number of tasks that ended well on the lane of {@code worker}. A task that did not end well leads to
     * a look at all lanes.
     */
    private long doneOn(int worker) {
        return (long) LANES.getAcquire(lanes, index(worker, TaskState.DONE));
    }

    /** Returns the number of tasks that have ended on the lane of {@code worker}, which is the calling thread's. */
    long endedOn(int worker) {
        int at = index(worker, TaskState.DONE);
        return lanes[at] + lanes[at + 1] + lanes[at + 2];
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
