package dev.jacquard.flow;

/**
 * The input of a graph, where items come in; every edge from the input gets each item.
 *
 * @param <I> the type of the items
 */
public final class GraphInput<I> extends Source<I> {
    GraphInput(FlowBuilder<?, ?> builder) {
        super(builder);
    }
}
