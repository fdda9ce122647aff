package dev.jacquard.flow;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.flow.FlowGraph.Sink;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.task.Rule;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One use of a graph: the outermost graph, a graph nested in another, or a copy of a graph in a pipeline. The number of
 * the pipeline's copy and its device hold for the uses inside, too.
 *
 * <p>Threads: confined to the thread that unfolds the graph.
 */
final class Use {
    final GraphParts graph;
    final String prefix;
    final @Nullable Use outer;
    /** The part of the outer graph that stands for this use; null for the outermost graph. */
    final @Nullable FlowSource<?> part;
    /** The number of this copy of a pipeline; -1 if the use is no copy of a pipeline itself. */
    final int copy;
    /** The device of this copy, or of the copy that this use is inside of; null if there is none. */
    final @Nullable ExecutionTarget device;

    final Map<Sink<?>, int[]> numbers = new HashMap<>();
    final Map<FlowGraph.Nested<?, ?>, Use> inner = new LinkedHashMap<>();
    final Map<FlowPipeline<?, ?>, List<Use>> pipelines = new LinkedHashMap<>();
    final Map<MemoryEdge<?>, Integer> edges = new HashMap<>();
    /** The rules that the copies of the use share. Filled in the {@link #first} copy alone. */
    final Map<Bookkeeper.RuleLink, Rule<?, ?>> rules = new HashMap<>();

    private Use(
            GraphParts graph,
            String prefix,
            @Nullable Use outer,
            @Nullable FlowSource<?> part,
            int copy,
            @Nullable ExecutionTarget device) {
        this.graph = graph;
        this.prefix = prefix;
        this.outer = outer;
        this.part = part;
        this.copy = copy;
        this.device = device;
    }

    static Use outermost(GraphParts graph) {
        return new Use(graph, "", null, null, -1, null);
    }

    /** Returns the use of a graph nested in this one. */
    Use nested(FlowGraph.Nested<?, ?> its) {
        Use use = new Use(its.inner, prefix + its.name() + "/", this, its, -1, device);
        inner.put(its, use);
        return use;
    }

    /** Returns the use of the graph of a pipeline in this one as the copy with this number. */
    Use copy(FlowPipeline<?, ?> its, int number, @Nullable ExecutionTarget bound) {
        return new Use(
                its.inner, prefix + its.name() + "#" + number + "/", this, its, number, bound == null ? device : bound);
    }

    /** Returns the number of the copy of the innermost pipeline around this use; 0 if there is none. */
    int pipeline() {
        return copy >= 0 ? copy : outer == null ? 0 : outer.pipeline();
    }

    /** Returns the number of copies of the innermost pipeline around this use; 1 if there is none. */
    int siblings() {
        if (outer == null) {
            return 1;
        }
        return copy >= 0 ? outer.copiesOf(part).size() : outer.siblings();
    }

    /** Returns true if some pipeline around this use has several copies. */
    boolean isCopied() {
        return outer != null && ((copy >= 0 && siblings() > 1) || outer.isCopied());
    }

    /** Returns the use that stands for this one in the copy with this number of the innermost pipeline around it. */
    Use sibling(int number) {
        if (outer == null) {
            return this;
        }
        return copy >= 0
                ? outer.copiesOf(part).get(number)
                : outer.sibling(number).nestedUse(part);
    }

    /** Returns the use that stands for this one in the first copy of each pipeline around it. */
    Use first() {
        if (outer == null) {
            return this;
        }
        Use around = outer.first();
        return copy >= 0 ? around.copiesOf(part).getFirst() : around.nestedUse(part);
    }

    private List<Use> copiesOf(@Nullable FlowSource<?> pipeline) {
        return pipeline instanceof FlowPipeline<?, ?> its ? pipelines.getOrDefault(its, List.of()) : List.of();
    }

    private Use nestedUse(@Nullable FlowSource<?> its) {
        return Objects.requireNonNull(its instanceof FlowGraph.Nested<?, ?> nested ? inner.get(nested) : null);
    }

    /** Returns the parts of the graph that an edge leads to. */
    Set<Sink<?>> joined() {
        Set<Sink<?>> joined = new HashSet<>();
        graph.edges().map(FlowSource.Edge::target).filter(Objects::nonNull).forEach(joined::add);
        return joined;
    }

    IntStream numbersOf(Sink<?> part) {
        int[] found = numbers.get(part);
        if (found == null) {
            throw new AssertionError("a part of another graph");
        }
        return Arrays.stream(found);
    }
}
