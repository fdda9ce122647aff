package dev.jacquard.core.graph;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts a graph's tasks without a shared counter: one lane per worker, a cache line apart, and the submitter's own.
 *
 * <p>Whether all is over is told without stopping anybody: the ended are read first, the submitted after. Both only
 * grow and a task is submitted before it ends, so when the sums are equal they were equal at the moment between the
 * readings.
 */
final class TaskCounters {
    /** Longs per worker: two cache lines, since lines are fetched in pairs. */
    private static final int STRIDE = 16;

    private static final int MOST_SKIPPED = 64;

    private static final VarHandle LANES = MethodHandles.arrayElementVarHandle(long[].class);
    /**
     * Per worker, per end: written by that worker with release, read with acquire. Then what was submitted: written by
     * submitters, one at a time, likewise.
     */
    private final long[] lanes;
    /**
     * For {@link #allEnded(int)}: what had not ended on which lane when all was over. By one submitter at a time, like
     * the rest.
     */
    private int settledLane = -1;

    private long settledRest;
    /**
     * One look in so many, a power of two, since those before found that not all was over; 0 when the last found that
     * it was.
     */
    private int vainLooks;

    private int skipped;

    /** Where the submitters' count is: behind the workers', on a line of its own like theirs. */
    private final int submitters;

    TaskCounters(int workers) {
        lanes = new long[(workers + 2) * STRIDE];
        submitters = workers * STRIDE + STRIDE / 2;
    }

    /** One more; answers how many. By one submitter at a time. */
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

    /**
     * Whether all is over. Looks at all lanes only if what was submitted since that was last so has not ended on the
     * lane of {@code worker}; and then seldom, when it is in vain. By one submitter at a time.
     *
     * @return false also when it was not looked
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
                    submitted() - doneOn(worker); // not before the look: nothing on that lane may end from here on
        }
        return all;
    }

    /** How many ended well on its lane: one that did not makes for a look at all lanes. */
    private long doneOn(int worker) {
        return (long) LANES.getAcquire(lanes, index(worker, TaskState.DONE));
    }

    /** How many have ended on the lane of {@code worker}, which is the calling thread's. */
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
