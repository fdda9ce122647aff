package dev.jacquard.cluster.partition;

import java.util.Optional;

/**
 * Cuts graphs into parts of about the same weight, with few and light edges between them. Further ones are named as
 * services of this interface; {@link Partitioners#best} asks all of them.
 *
 * <p>Safe for use by many threads. A partitioner gives the same answer for the same graph on each call.
 */
public interface Partitioner {
    /** Returns the name of the partitioner, in lower case. */
    String name();

    /** Returns the reason why this machine lacks the partitioner, and the remedy; empty if it can be used. */
    default Optional<String> absence() {
        return Optional.empty();
    }

    /**
     * Returns the part of each vertex, from 0 to {@code parts - 1}, in a new array. The result is empty for a graph
     * that does not suit this partitioner: the caller asks another one.
     *
     * @param parts the number of parts, which may exceed that of the vertices
     * @throws IllegalArgumentException if {@code parts} is below 1
     * @throws IllegalStateException if the partitioner is absent or fails
     */
    Optional<int[]> partition(WeightedGraph graph, int parts);
}
