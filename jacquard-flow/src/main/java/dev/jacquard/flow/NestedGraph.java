package dev.jacquard.flow;

/**
 * A graph that is used as a task of another graph. Each use has tasks, rules and memory edges of its own.
 *
 * @param <A> the type of the inner graph's input
 * @param <B> the type of the inner graph's output
 */
public final class NestedGraph<A, B> extends Source<B> implements Sink<A> {
    private final String name;
    private final FlowGraph<A, B> graph;

    NestedGraph(FlowBuilder<?, ?> builder, String name, FlowGraph<A, B> graph) {
        super(builder);
        this.name = name;
        this.graph = graph;
    }

    /** Returns the name in the outer graph, which is also the prefix of the names inside. */
    public String name() {
        return name;
    }

    FlowGraph<A, B> graph() {
        return graph;
    }
}
