package dev.jacquard.flow;

import dev.jacquard.flow.FlowGraph.Sink;
import dev.jacquard.flow.runtime.RunPlan;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The ways of items from one part of the unfolded graph to the parts that get them: through the ends of nested graphs,
 * and over the bounded edges on the way.
 *
 * <p>Threads: confined to the thread that unfolds the graph.
 */
final class Ways {
    private final Use from;
    /** The numbers of the items that get the items. */
    private final List<Integer> found = new ArrayList<>();
    /** For each of these, the bounded edges on the way to it. */
    private final List<List<EdgeBound>> bounds = new ArrayList<>();
    /** Ends the search where graphs that pass their input through are joined in a circle. */
    private final Set<List<Object>> passed = new LinkedHashSet<>();

    /** Starts at a part of {@code use}. */
    Ways(Use use) {
        this.from = use;
    }

    /** Follows the edges that leave {@code source}. */
    Ways from(FlowSource<?> source) {
        follow(source, from, List.of());
        return this;
    }

    /** Follows edges to {@code targets}; items are also dropped if they are to end there. */
    Ways to(List<Sink<?>> targets, boolean ends) {
        addEnd(ends);
        targets.forEach(target -> follow(target, from, List.of()));
        return this;
    }

    int[] consumers() {
        return found.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Returns, for each consumer, the bounded edges on the way. */
    List<List<EdgeBound>> bounds() {
        return bounds;
    }

    private void addEnd(boolean ends) {
        if (ends && !found.contains(RunPlan.NOWHERE)) {
            add(IntStream.of(RunPlan.NOWHERE), List.of());
        }
    }

    private void add(IntStream consumers, List<EdgeBound> way) {
        consumers.forEach(consumer -> {
            found.add(consumer);
            bounds.add(way);
        });
    }

    private void follow(FlowSource<?> source, Use use, List<EdgeBound> way) {
        addEnd(source.ends());
        for (Sink<?> target : source.targets()) {
            follow(target, use, with(EdgeBound.of(use, source, target), way));
        }
    }

    private static List<EdgeBound> with(@Nullable EdgeBound bound, List<EdgeBound> way) {
        if (bound == null) {
            return way;
        }
        List<EdgeBound> longer = new ArrayList<>(way);
        longer.add(bound);
        return longer;
    }

    private void follow(Sink<?> target, Use use, List<EdgeBound> way) {
        switch (target) {
            case FlowTask<?, ?> task -> add(use.numbersOf(task), way);
            case Bookkeeper<?> keeper -> add(use.numbersOf(keeper), way);
            case FlowPipeline<?, ?> pipeline -> add(use.numbersOf(pipeline), way);
            case FlowGraph.Nested<?, ?> nested -> {
                Use inner = use.inner.get(nested);
                if (inner != null && passed.add(List.of(inner, nested))) {
                    addEnd(inner.graph.inputEnds);
                    inner.graph.inputs.forEach(input -> follow(input, inner, way));
                }
            }
            case GraphParts.Output<?> output -> {
                if (use.outer == null || use.part == null) {
                    add(IntStream.of(RunPlan.OUTPUT), way);
                } else if (passed.add(List.of(use, output))) {
                    follow(use.part, use.outer, way);
                }
            }
        }
    }
}
