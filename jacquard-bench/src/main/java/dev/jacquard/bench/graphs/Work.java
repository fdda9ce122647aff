package dev.jacquard.bench.graphs;

/** What the tasks of a shape do. */
interface Work {
    /**
     * What one task does; called by whatever thread the system runs it on.
     *
     * @param task its number in the order of the shape
     */
    void run(int task);
}
