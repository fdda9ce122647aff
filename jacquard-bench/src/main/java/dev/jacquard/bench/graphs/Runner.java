package dev.jacquard.bench.graphs;

/**
 * A system that has a shape and its work, and can run all tasks again and again. Confined to the thread that made it.
 *
 * <p>This type, {@link Shape} and {@link Lists} are public since {@link Untraced} loads JacquardTasks a second time, by
 * another class loader, where the package is another one too.
 */
public interface Runner extends AutoCloseable {
    /** Runs all tasks once; returns when all are over. */
    void run() throws Exception;

    /** Ends its threads. */
    @Override
    default void close() {}

    /** Makes a runner. */
    @FunctionalInterface
    interface Maker {
        /**
         * Makes one.
         *
         * @param workers threads that run tasks, the submitter included
         */
        Runner make(int workers, Shape shape, Work work);
    }

    /** The work of a shape's tasks. */
    interface Work {
        /**
         * Does the work of one task; called by the thread on which the system runs the task.
         *
         * @param task its number in the order of the shape
         */
        void run(int task);
    }
}
