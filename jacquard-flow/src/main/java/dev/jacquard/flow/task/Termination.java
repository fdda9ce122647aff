package dev.jacquard.flow.task;

/**
 * The condition under which a task on a cycle ends, although the task is a producer of its own input.
 *
 * <p>Threads: each copy asks at every wake-up, before items are taken; several copies may ask at once.
 */
@FunctionalInterface
public interface Termination {
    /** Returns true if the copy that asks is done. */
    boolean reached(Progress progress);

    /** Returns the usual condition: no item can come into the cycle any more, and none is under way in it. */
    static Termination whenDrained() {
        return Progress::cycleDrained;
    }

    /**
     * The state that a condition may look at.
     *
     * @param inputClosed whether no producer is left and the queue is empty
     * @param cycleDrained whether every producer outside of the task's cycle is done, and no item is in the cycle's
     *     tasks
     * @param executed the number of items that this copy has worked on
     */
    record Progress(boolean inputClosed, boolean cycleDrained, long executed) {}
}
