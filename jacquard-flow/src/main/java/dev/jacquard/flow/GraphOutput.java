package dev.jacquard.flow;

/**
 * The output of a graph, where items leave.
 *
 * @param <O> the type of the items
 */
public final class GraphOutput<O> implements Sink<O> {
    private final String graph;

    GraphOutput(String graph) {
        this.graph = graph;
    }

    @Override
    public String graph() {
        return graph;
    }
}
