package dev.jacquard.flow;

/**
 * A graph that is used as a task of another: each use runs tasks, rules and memory edges of its own.
 *
 * @param <A> the inner graph's input
 * @param <B> its output
 */
public final class NestedGraph<A, B> extends Source<B> implements Sink<A> {
    private final String name;
    private final FlowGraph<A, B> graph;

    NestedGraph(FlowBuilder<?, ?> builder, String name, FlowGraph<A, B> graph) {
        super(builder);
        this.name = name;
        this.graph = graph;
    }

    /** Its name in the outer graph, and a prefix for the names inside. */
    public String name() {
        return name;
    }

    FlowGraph<A, B> graph() {
        return graph;
    }
}
