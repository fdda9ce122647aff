package dev.jacquard.flow;

import dev.jacquard.flow.FlowGraph.Sink;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of edges: a part of a graph that sends items. The input of a graph and the output of a bookkeeper's
 * rule are nothing else; every edge gets each item.
 *
 * <p>Threads: confined to the thread that builds the graph, constant afterwards.
 *
 * @param <B> the type of the items
 */
public class FlowSource<B> {
    private final GraphParts graph;
    private final List<Sink<?>> targets = new ArrayList<>();
    private boolean ends;

    FlowSource(GraphParts graph) {
        this.graph = graph;
    }

    /**
     * Sends every item to {@code target}; with several targets, to each of them. Returns the target, so that
     * {@code g.input().to(read).to(pair)} reads as the items flow.
     *
     * @throws IllegalArgumentException if the target is part of another graph
     * @throws IllegalStateException if the graph is built already
     */
    public final <T extends Sink<? super B>> T to(T target) {
        requireOpen();
        requireGiven(target, "target of an edge in graph \"" + graph() + '"');
        if (!graph.has(target)) {
            throw new IllegalArgumentException("an edge from graph \"" + graph() + "\" leads into graph \""
                    + target.graph() + "\": join whole graphs with FlowBuilder.graph");
        }
        targets.add(target);
        return target;
    }

    /**
     * Declares that the items end here: no edge leaves, and items that are sent are dropped. Without this, a part that
     * sends items and has no edge is refused: by {@link FlowGraph#check} where the types or the graph's output tell
     * that it sends some, else when it sends the first. A part that sends {@link Void}, which is nothing, needs no
     * declaration.
     *
     * @throws IllegalStateException if the graph is built already
     */
    public FlowSource<B> endsHere() {
        requireOpen();
        ends = true;
        return this;
    }

    /** Returns the name of the graph that this is a part of. */
    public final String graph() {
        return graph.name;
    }

    final GraphParts parts() {
        return graph;
    }

    final void requireOpen() {
        graph.checkOpen();
    }

    static void requireGiven(@Nullable Object given, String what) {
        if (given == null) {
            throw new NullPointerException("the " + what + " is null: give one");
        }
    }

    final List<Sink<?>> targets() {
        return targets;
    }

    /** Returns true if items are to end here. */
    final boolean ends() {
        return ends;
    }
}
