package dev.jacquard.flow;

import dev.jacquard.flow.FlowGraph.Sink;
import dev.jacquard.flow.memory.MemoryEdge;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a graph.
 *
 * <p>Threads: confined to the thread that builds the graph, constant afterwards.
 */
final class GraphParts {
    final String name;
    /** Tasks, bookkeepers, nested graphs and pipelines, in the order in which they were added. */
    final Set<Sink<?>> parts = new LinkedHashSet<>();

    final List<MemoryEdge<?>> memories = new ArrayList<>();
    final List<SiblingEdge<?>> siblings = new ArrayList<>();
    /** The edges that begin at the graph's input. Written when the graph is built. */
    List<FlowSource.Edge> inputs = List.of();
    /** True if incoming items are to be dropped. As above. */
    boolean inputEnds;
    /** The graph's output; null if nothing leads there. */
    @Nullable
    Sink<?> output;

    @Nullable
    Class<?> inputType;

    @Nullable
    Class<?> outputType;

    private boolean built;

    /** The output of a graph, where items leave. */
    record Output<O>(String graph) implements Sink<O> {}

    GraphParts(String name) {
        this.name = name;
    }

    boolean has(Sink<?> part) {
        return part == output || parts.contains(part);
    }

    void checkOpen() {
        if (built) {
            throw new IllegalStateException(
                    "graph \"" + name + "\" is built and cannot change: do this inside FlowGraph.build");
        }
    }

    /** Returns true if an edge leads to the graph's output. */
    boolean leads() {
        return output != null && edges().anyMatch(edge -> edge.target() == output);
    }

    /** Returns the edges inside, with those of the graph's input. */
    Stream<FlowSource.Edge> edges() {
        return Stream.concat(inputs.stream(), sources().flatMap(source -> source.edges().stream()));
    }

    private Stream<FlowSource<?>> sources() {
        return Stream.concat(parts.stream().flatMap(GraphParts::sources), siblings.stream());
    }

    private static Stream<FlowSource<?>> sources(Sink<?> part) {
        return switch (part) {
            case FlowSource<?> source -> Stream.of(source);
            case Bookkeeper<?> keeper -> keeper.rules.stream().map(Bookkeeper.RuleLink::output);
            default -> throw new AssertionError(part);
        };
    }

    void close(FlowSource<?> input) {
        inputs = List.copyOf(input.edges());
        inputEnds = input.ends();
        built = true;
    }
}
