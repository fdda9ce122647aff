package dev.jacquard.flow;

/**
 * What takes items while a graph is built: the end of an edge.
 *
 * @param <A> the items that it takes
 */
public sealed interface Sink<A> permits FlowTask, Bookkeeper, NestedGraph, GraphOutput {
    /** For the builder: the graph that this is a part of. */
    FlowBuilder<?, ?> builder();
}
