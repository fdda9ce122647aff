package dev.jacquard.flow;

/**
 * The output of a graph, where items leave.
 *
 * @param <O> the type of the items
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
