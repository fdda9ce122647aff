package dev.jacquard.flow;

/**
 * Where items come into a graph; every edge from here gets each of them.
 *
 * @param <I> the items
 */
public final class GraphInput<I> extends Source<I> {
    GraphInput(FlowBuilder<?, ?> builder) {
        super(builder);
    }
}
