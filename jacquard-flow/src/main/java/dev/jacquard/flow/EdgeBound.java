package dev.jacquard.flow;

import dev.jacquard.flow.FlowGraph.Sink;
import dev.jacquard.flow.FlowSource.Edge;
import org.jspecify.annotations.Nullable;

/**
 * A bounded edge in one use of its graph. The parts that it begins at have their slots in common.
 *
 * @param use the use of the graph that the edge is part of
 * @param edge the edge
 */
record EdgeBound(Use use, Edge edge) {
    private static final int MOST_SLOTS = 1 << 24;

    /**
     * Checks the bound of an edge.
     *
     * @throws IllegalArgumentException if there can be no such bound; the message names the option that there is
     */
    static void require(FlowSource<?> source, Sink<?> target, int slots) {
        String edge = "the edge from " + named(source) + " to " + named(target) + " of graph \"" + source.graph() + '"';
        if (slots < 1 || slots > MOST_SLOTS) {
            throw new IllegalArgumentException(
                    edge + " has a bound of " + slots + ": at least 1, at most " + MOST_SLOTS);
        }
        String instead = switch (source) {
            case SiblingEdge<?> siblings -> "take a permit of a memory edge for each item instead, FlowBuilder.permits";
            case FlowTask<?, ?> task -> insteadOf(target);
            case RuleOutput<?> rule -> insteadOf(target);
            case FlowGraph.Nested<?, ?> nested -> insteadOf(target);
            case FlowPipeline<?, ?> pipeline -> insteadOf(target);
            default ->
                "state the number of items that wait there with FlowRun.Options.withInputBound; where another"
                        + " graph uses this one, bound the edge that leads to it";
        };
        if (instead != null) {
            throw new IllegalArgumentException(edge + " cannot have a bound: " + instead);
        }
    }

    private static @Nullable String insteadOf(Sink<?> target) {
        return switch (target) {
            case GraphParts.Output<?> output ->
                "state the number of results that wait with FlowRun.Options.withResultBound; where another graph uses"
                        + " this one, bound the edge that leaves it";
            case FlowPipeline<?, ?> pipeline ->
                "bound the edges in the graph of the pipeline, or take a permit of a memory edge for each item,"
                        + " FlowBuilder.permits";
            default -> null;
        };
    }

    /** Returns the number of items that may wait. */
    int slots() {
        return edge.bound();
    }

    /** Returns the name of the edge to {@code consumer}. */
    String name(String consumer) {
        Class<?> type = edge.passage().type();
        String from = switch (edge.from()) {
            case FlowTask<?, ?> task -> task.name();
            case FlowGraph.Nested<?, ?> nested -> nested.name();
            case FlowPipeline<?, ?> pipeline -> pipeline.name();
            case RuleOutput<?> rule -> rule.name();
            default -> throw new AssertionError(edge);
        };
        return use.prefix + from + (type == null ? "" : " (" + type.getSimpleName() + ")") + " -> " + consumer;
    }

    private static String named(FlowSource<?> source) {
        return switch (source) {
            case Sink<?> part -> named(part);
            case RuleOutput<?> rule -> "a rule of \"" + rule.bookkeeper() + '"';
            case SiblingEdge<?> siblings -> "siblings along \"" + siblings.name() + '"';
            default -> "the input";
        };
    }

    private static String named(Sink<?> part) {
        return switch (part) {
            case FlowTask<?, ?> task -> '"' + task.name() + '"';
            case Bookkeeper<?> keeper -> '"' + keeper.name() + '"';
            case FlowGraph.Nested<?, ?> nested -> '"' + nested.name() + '"';
            case FlowPipeline<?, ?> pipeline -> '"' + pipeline.name() + '"';
            case GraphParts.Output<?> output -> "the output";
        };
    }
}
