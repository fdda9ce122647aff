package dev.jacquard.flow;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of edges: a part of a graph that sends items.
 *
 * <p>Threads: confined to the thread that builds the graph, constant afterwards.
 *
 * @param <B> the type of the items
 */
public abstract sealed class Source<B> permits FlowTask, NestedGraph, RuleOutput, GraphInput {
    private final FlowBuilder<?, ?> builder;
    private final List<Sink<?>> targets = new ArrayList<>();

    Source(FlowBuilder<?, ?> builder) {
        this.builder = builder;
    }

    /**
     * Sends every item to {@code target}; with several targets, to each of them. Returns the target, so that
     * {@code g.input().to(read).to(pair)} reads as the items flow.
     *
     * @throws IllegalArgumentException if the target is part of another graph
     * @throws IllegalStateException if the graph is built already
     */
    public final <T extends Sink<? super B>> T to(T target) {
        builder.checkOpen();
        requireGiven(target, "target of an edge in graph \"" + builder.name() + '"');
        if (target.builder() != builder) {
            throw new IllegalArgumentException("an edge from graph \"" + builder.name() + "\" leads into graph \""
                    + target.builder().name() + "\": join whole graphs with FlowBuilder.graph");
        }
        targets.add(target);
        return target;
    }

    /** Returns the builder of the graph that this is a part of. For the builder itself. */
    public final FlowBuilder<?, ?> builder() {
        return builder;
    }

    static void requireGiven(@Nullable Object given, String what) {
        if (given == null) {
            throw new NullPointerException("the " + what + " is null: give one");
        }
    }

    final List<Sink<?>> targets() {
        return targets;
    }
}
