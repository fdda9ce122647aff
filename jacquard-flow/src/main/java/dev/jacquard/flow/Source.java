package dev.jacquard.flow;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What sends items while a graph is built: the beginning of edges.
 *
 * <p>Threads: confined to the thread that builds the graph, constant afterwards.
 *
 * @param <B> the items that it sends
 */
public abstract sealed class Source<B> permits FlowTask, NestedGraph, RuleOutput, GraphInput {
    private final FlowBuilder<?, ?> builder;
    private final List<Sink<?>> targets = new ArrayList<>();

    Source(FlowBuilder<?, ?> builder) {
        this.builder = builder;
    }

    /**
     * Sends every item to {@code target}; with several targets, to each of them. Answers the target, so that
     * {@code g.input().to(read).to(pair)} reads as the items flow.
     *
     * @throws IllegalArgumentException when the target is part of another graph
     * @throws IllegalStateException when the graph is built already
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

    /** For the builder: the graph that this is a part of. */
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
