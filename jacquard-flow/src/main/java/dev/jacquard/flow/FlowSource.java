package dev.jacquard.flow;

import dev.jacquard.flow.FlowGraph.Sink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    /** The bounds of the edges that have one. */
    private final Map<Sink<?>, Integer> bounds = new HashMap<>();

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
     * As {@link #to(Sink)}, with a bound: at most {@code bound} items wait between this part and {@code target}. No
     * thread waits for that: this part works on an item only once the edge has room for as many items as may come of
     * it, so the part declares the number, as {@code emits(n)} or {@code emits(least, most)}. An item waits until a
     * copy of the target takes it.
     *
     * <p>The bound holds for the edge: edges that lead to the same target have a bound each. If the target is a graph,
     * the bound holds for each task inside that its input leads to.
     *
     * @throws IllegalArgumentException if {@code bound} is not positive, or the edge cannot have a bound: from the
     *     graph's input, between siblings, to the graph's output or to a pipeline
     */
    public final <T extends Sink<? super B>> T to(T target, int bound) {
        to(target);
        EdgeBound.require(this, target, bound);
        bounds.put(target, bound);
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

    /** Returns the bound of the edge to {@code target}; null if it has none. */
    final @Nullable Integer boundTo(Sink<?> target) {
        return bounds.get(target);
    }

    /** Returns true if items are to end here. */
    final boolean ends() {
        return ends;
    }
}
