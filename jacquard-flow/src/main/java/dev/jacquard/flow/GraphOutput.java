package dev.jacquard.flow;

/**
 * Where items leave a graph.
 *
 * @param <O> the items
 */
public final class GraphOutput<O> implements Sink<O> {
    private final FlowBuilder<?, ?> builder;

    GraphOutput(FlowBuilder<?, ?> builder) {
        this.builder = builder;
    }

    @Override
    public FlowBuilder<?, ?> builder() {
        return builder;
    }
}
