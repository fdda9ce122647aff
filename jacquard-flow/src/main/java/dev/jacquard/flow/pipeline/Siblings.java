package dev.jacquard.flow.pipeline;

/**
 * An edge from each copy of a graph in a pipeline to all copies. A task sends an item to a copy by its number, with
 * {@code Emitter.send}: the halo of a domain to its neighbour, work to a copy that has little.
 *
 * <p>The edge leads to the same tasks in each copy. The number of the own copy is allowed. A graph that is part of no
 * pipeline is its own only copy, with the number 0.
 *
 * <p>Threads: immutable.
 *
 * @param <T> the type of the items
 */
public interface Siblings<T> {
    /** Returns the name, which is unique in the graph. */
    String name();
}
