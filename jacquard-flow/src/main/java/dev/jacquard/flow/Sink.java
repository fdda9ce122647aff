package dev.jacquard.flow;

/**
 * The end of an edge: a part of a graph that takes items.
 *
 * @param <A> the type of the items
 */
public sealed interface Sink<A> permits FlowTask, Bookkeeper, FlowGraph.Nested, GraphParts.Output {
    /** Returns the name of the graph that this is a part of. */
    String graph();
}
