package dev.jacquard.flow;

/**
 * A graph that is used as a task of another graph. Each use has tasks, rules and memory edges of its own.
 *
 * @param <A> the type of the inner graph's input
 * @param <B> the type of the inner graph's output
 */
public final class NestedGraph<A, B> extends Source<B> implements Sink<A> {
    private final String name;
    private final GraphParts inner;

    NestedGraph(GraphParts graph, String name, GraphParts inner) {
        super(graph);
        this.name = name;
        this.inner = inner;
    }

    /** Returns the name in the outer graph, which is also the prefix of the names inside. */
    public String name() {
        return name;
    }

    GraphParts inner() {
        return inner;
    }
}
