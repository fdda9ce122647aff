package dev.jacquard.flow.task;

/**
 * The condition under which a task on a cycle ends, though it is a producer of its own input.
 *
 * <p>Threads: asked by each copy at every wake-up, before data is taken; several copies may ask at once.
 */
@FunctionalInterface
public interface Termination {
    /** Whether the asking copy is done. */
    boolean reached(Progress progress);

    /** The usual condition: nothing can come into the cycle any more, and nothing is under way in it. */
    static Termination whenDrained() {
        return Progress::cycleDrained;
    }

    /**
     * What a condition may look at.
     *
     * @param inputClosed no producer is left and the queue is empty
     * @param cycleDrained every producer outside of the task's cycle is done, and no item is in the cycle's tasks
     * @param executed items that this copy has worked on
     */
    record Progress(boolean inputClosed, boolean cycleDrained, long executed) {}
}
