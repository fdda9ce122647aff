package dev.jacquard.flow;

import dev.jacquard.flow.pipeline.Siblings;

/**
 * An edge from each copy of a graph in a pipeline to all copies: see {@link Siblings}. Tasks and bookkeepers declare
 * that they send along it; {@link #to} states the part of each copy that gets the items.
 *
 * <p>Threads: confined to the thread that builds the graph, constant afterwards.
 *
 * @param <T> the type of the items
 */
public final class SiblingEdge<T> extends FlowSource<T> implements Siblings<T> {
    private final String name;
    /** True once a task or bookkeeper has declared that it sends. */
    private boolean isUsed;

    SiblingEdge(GraphParts graph, String name) {
        super(graph);
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public SiblingEdge<T> endsHere() {
        super.endsHere();
        return this;
    }

    /**
     * Records that {@code sender}, a part of {@code graph}, sends along this edge.
     *
     * @throws IllegalArgumentException if the edge is part of another graph
     */
    void sentBy(String sender, GraphParts graph) {
        if (!graph.siblings.contains(this)) {
            throw new IllegalArgumentException("\"" + sender + "\" of graph \"" + graph.name
                    + "\" sends to siblings along \"" + name + "\", an edge of graph \"" + graph()
                    + "\": make the edge in the graph of the sender");
        }
        isUsed = true;
    }

    boolean isUsed() {
        return isUsed;
    }
}
