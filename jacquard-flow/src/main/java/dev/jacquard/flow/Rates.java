package dev.jacquard.flow;

import dev.jacquard.flow.liveness.Network;
import dev.jacquard.flow.liveness.Network.Kind;
import dev.jacquard.flow.liveness.Network.Node;
import dev.jacquard.flow.liveness.Network.Output;
import dev.jacquard.flow.liveness.Network.Outside;
import dev.jacquard.flow.liveness.Network.PoolSize;
import dev.jacquard.flow.memory.KeyedEdge;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.SizedEdge;
import dev.jacquard.flow.runtime.RunPlan;
import dev.jacquard.memory.data.Layout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Describes an unfolded graph with its rates for the proof. */
final class Rates {
    private final Flattening unfolding;

    Rates(Flattening unfolding) {
        this.unfolding = unfolding;
    }

    /** Returns true if some task or rule declares a rate that only the proof reads. */
    boolean areDeclared() {
        return unfolding.items.stream()
                .anyMatch(item -> item.rates().stream()
                        .anyMatch(rate -> rate.most >= 0
                                || rate.collects > 1
                                || rate.releases.values().stream().anyMatch(count -> count > 0)));
    }

    Network network() {
        return new Network(
                unfolding.graph.name,
                unfolding.items.stream().map(Rates::node).toList(),
                unfolding.inputs,
                unfolding.pools.stream().map(Rates::pool).toList(),
                unfolding.circles);
    }

    private static Node node(PlannedPart item) {
        List<Rate> rates = item.rates();
        List<Output> outputs = new ArrayList<>();
        for (int i = 0; i < rates.size(); i++) {
            Rate rate = rates.get(i);
            Map<Integer, Integer> releases = numbers(item, rate.releases);
            if (item.keeper != null) {
                item.keeper.releasedSomewhere().forEach(edge -> {
                    Integer pool = item.use.edges.get(edge);
                    if (pool != null) {
                        releases.put(pool, Rate.UNKNOWN);
                    }
                });
            }
            int least = item.dropsItems() ? 0 : rate.least;
            outputs.add(new Output(rate.collects, least, rate.most, releases, item.outlets.get(i), item.slots.get(i)));
        }
        for (int[] outlet : item.outlets.subList(rates.size(), item.outlets.size())) {
            // to siblings, or to a copy of a pipeline: which one gets how many items is not declared
            int[] slots = new int[outlet.length];
            Arrays.fill(slots, Network.NONE);
            outputs.add(new Output(1, 0, Rate.UNKNOWN, Map.of(), outlet, slots));
        }
        Kind kind = item.keeper != null ? Kind.BOOKKEEPER : item.isStart() ? Kind.START : Kind.TASK;
        return new Node(item.name, kind, item.isOrdered(), item.takes, numbers(item, carried(item)), outputs);
    }

    private static Map<MemoryEdge<?>, Integer> carried(PlannedPart item) {
        if (item.task != null) {
            return item.task.settings.rate.carries;
        }
        return item.keeper == null ? Map.of() : item.keeper.carries;
    }

    /** Returns numbers by pool; without the edges of other graphs, which the check refuses. */
    private static Map<Integer, Integer> numbers(PlannedPart item, Map<MemoryEdge<?>, Integer> byEdge) {
        Map<Integer, Integer> numbers = new LinkedHashMap<>();
        byEdge.forEach((edge, count) -> {
            Integer pool = item.use.edges.get(edge);
            if (pool != null) {
                numbers.put(pool, count);
            }
        });
        return numbers;
    }

    private static PoolSize pool(RunPlan.PoolPlan planned) {
        MemoryEdge<?> edge = planned.edge();
        Layout layout = edge.layout();
        return new PoolSize(
                planned.name(),
                edge.size(),
                edge.reason() == null ? 0 : Math.max(1, edge.smallest()),
                planned.isBound() ? 0 : layout == null ? Network.UNKNOWN : layout.bytes(),
                new Outside(edge.isTakenOutside(), edge.isReleasedOutside()),
                !(edge instanceof SizedEdge<?> || edge instanceof KeyedEdge<?, ?>),
                planned.consumer());
    }
}
