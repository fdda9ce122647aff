package dev.jacquard.bench.graphs;

/**
 * A system that has a shape and its work, and can run all tasks again and again. Confined to the thread that made it.
 */
interface Runner extends AutoCloseable {
    /** Runs all tasks once; returns when all are over. */
    void run() throws Exception;

    /** Ends its threads. */
    @Override
    default void close() {}

    /** How a runner is made. */
    @FunctionalInterface
    interface Maker {
        /**
         * Makes one.
         *
         * @param workers threads that run tasks, the submitter included
         */
        Runner make(int workers, Shape shape, Work work);
    }
}
