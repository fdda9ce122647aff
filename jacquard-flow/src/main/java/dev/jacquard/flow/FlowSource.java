package dev.jacquard.flow;

import dev.jacquard.flow.FlowGraph.Sink;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of edges: a part of a graph that sends items. The input of a graph and the output of a bookkeeper's
 * rule are nothing else; every edge gets each item, unless it begins at {@link #only}.
 *
 * <p>Threads: confined to the thread that builds the graph, constant afterwards.
 *
 * @param <B> the type of the items
 */
public class FlowSource<B> {
    private final GraphParts graph;
    /** The edges, which a source shares with those that {@link #only} and {@link #as} return. */
    private final List<Edge> edges;
    /** The way of the items from the part that sends them to here. */
    private final Passage passage;
    /** The source that {@link #only} or {@link #as} was called on; null if there is none. */
    private final @Nullable FlowSource<?> before;

    private boolean ends;

    /**
     * An edge.
     *
     * @param from the part that sends the items
     * @param target the part that takes the items; null if they end there
     * @param passage the way of the items along the edge
     * @param bound the number of items that may wait; 0 if it has no bound
     */
    record Edge(FlowSource<?> from, @Nullable Sink<?> target, Passage passage, int bound) {}

    FlowSource(GraphParts graph) {
        this.graph = graph;
        this.edges = new ArrayList<>();
        this.passage = Passage.ALL;
        this.before = null;
    }

    private FlowSource(FlowSource<?> before, Passage passage) {
        this.graph = before.graph;
        this.edges = before.edges;
        this.passage = passage;
        this.before = before;
    }

    /**
     * Sends every item to {@code target}; with several targets, to each of them. Returns the target, so that
     * {@code g.input().to(read).to(pair)} reads as the items flow.
     *
     * @throws IllegalArgumentException if the target is part of another graph
     * @throws IllegalStateException if the graph is built already
     */
    public final <T extends Sink<? super B>> T to(T target) {
        requireOwn(target);
        edges.add(new Edge(origin(), target, passage, 0));
        return target;
    }

    private void requireOwn(Sink<?> target) {
        requireOpen();
        requireGiven(target, "target of an edge in graph \"" + graph() + '"');
        if (!graph.has(target)) {
            throw new IllegalArgumentException("an edge from graph \"" + graph() + "\" leads into graph \""
                    + target.graph() + "\": join whole graphs with FlowBuilder.graph");
        }
    }

    /**
     * Returns the source of those items of this source that are of type {@code type}. Where all edges of a part begin
     * at such sources, an item that no edge takes is refused, unless the part declares {@link #endsHere}: by
     * {@link FlowGraph#check} where the part sends a sealed type, else when the item is sent.
     *
     * @param type a class without type arguments: the class file has none
     * @throws IllegalStateException if the graph is built already
     */
    public final <S extends B> FlowSource<S> only(Class<S> type) {
        requireOpen();
        requireGiven(type, "type of an edge in graph \"" + graph() + '"');
        Class<?> boxed = Objects.requireNonNull(TypeFinder.boxed(type));
        return new FlowSource<>(this, passage.then(new Passage.Only(boxed)));
    }

    /**
     * Returns the source of the items that {@code conversion} makes of those of this source, one of each. A task with
     * several types of input takes a sealed type, and each edge converts to a type that is permitted:
     * {@code images.as(Job.Filter::new).to(work)}.
     *
     * @param conversion called by the thread that sends the item, for several items at once; must not block. Its
     *     exception is one of the body that emits the item, or of the sender
     * @throws IllegalStateException if the graph is built already
     */
    @SuppressWarnings("unchecked") // the items of this source are of type B
    public final <C> FlowSource<C> as(Function<? super B, ? extends C> conversion) {
        requireOpen();
        requireGiven(conversion, "conversion of an edge in graph \"" + graph() + '"');
        return new FlowSource<>(this, passage.then(new Passage.As(graph(), (Function<Object, ?>)
                (Function<?, ?>) conversion)));
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
        requireOwn(target);
        EdgeBound.require(origin(), target, bound);
        edges.add(new Edge(origin(), target, passage, bound));
        return target;
    }

    /**
     * Declares that the items end here: no edge leaves, and items that are sent are dropped. Without this, a part that
     * sends items and has no edge is refused: by {@link FlowGraph#check} where the types or the graph's output tell
     * that it sends some, else when it sends the first. A part that sends {@link Void}, which is nothing, needs no
     * declaration. A part whose edges all begin at {@link #only} declares so that the other items end.
     *
     * @throws IllegalStateException if the graph is built already
     */
    public FlowSource<B> endsHere() {
        requireOpen();
        if (passage.isAll()) {
            ends = true;
        } else {
            edges.add(new Edge(origin(), null, passage, 0));
        }
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

    /** Returns the part that sends the items. */
    private FlowSource<?> origin() {
        return before == null ? this : before.origin();
    }

    final List<Edge> edges() {
        return edges;
    }

    /** Returns true if items are to end here that no edge takes. */
    final boolean ends() {
        return ends;
    }
}
