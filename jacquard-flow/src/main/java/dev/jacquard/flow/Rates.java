package dev.jacquard.flow;

import dev.jacquard.flow.liveness.Network;
import dev.jacquard.flow.liveness.Network.Bytes;
import dev.jacquard.flow.liveness.Network.Kind;
import dev.jacquard.flow.liveness.Network.Node;
import dev.jacquard.flow.liveness.Network.Output;
import dev.jacquard.flow.liveness.Network.Outside;
import dev.jacquard.flow.liveness.Network.PoolSize;
import dev.jacquard.flow.liveness.Network.Scope;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.SizedEdge;
import dev.jacquard.flow.pipeline.Distribution;
import dev.jacquard.flow.pipeline.Distribution.Loads;
import dev.jacquard.flow.runtime.RunPlan;
import dev.jacquard.memory.data.Layout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/** Describes an unfolded graph with its rates for the proof. */
final class Rates {
    /** More rules than a bookkeeper has. */
    private static final int MOST_RULES = 1 << 12;

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
        List<Node> nodes =
                new ArrayList<>(unfolding.items.stream().map(this::node).toList());
        int[] inputs = unfolding.inputs.getFirst();
        if (!unfolding.inputBranches.isEmpty()) { // which consumer gets how many items is not declared
            inputs = new int[] {nodes.size()};
            nodes.add(new Node(
                    "input",
                    Kind.TASK,
                    false,
                    false,
                    Map.of(),
                    Map.of(),
                    Map.of(),
                    unfolding.inputs.stream()
                            .map(outlet ->
                                    new Output(1, 0, Rate.UNKNOWN, Map.of(), outlet, unbounded(outlet), Scope.OWN))
                            .toList()));
        }
        return new Network(
                unfolding.graph.name,
                nodes,
                inputs,
                unfolding.pools.stream().map(Rates::pool).toList(),
                unfolding.circles);
    }

    private Node node(PlannedPart item) {
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
            outputs.add(new Output(
                    rate.collects,
                    rate.least,
                    rate.most,
                    releases,
                    item.outlets.get(i),
                    item.slots.get(i),
                    new Scope(shared(item, i), "")));
        }
        int branches = item.outlets.size() - item.branches.size();
        item.siblings.forEach((edge, first) -> {
            for (int copy = 0; copy < item.use.siblings(); copy++) { // how many items go there is not declared
                Scope along = new Scope(Network.UNKNOWN, edge.name());
                outputs.add(new Output(
                        1,
                        0,
                        Rate.UNKNOWN,
                        Map.of(),
                        item.outlets.get(first + copy),
                        item.slots.get(first + copy),
                        along));
            }
        });
        Kind kind = kind(item);
        if (item.part instanceof FlowPipeline<?, ?>) {
            int least = kind == Kind.TO_ALL ? 1 : 0;
            for (int i = 0; i < branches; i++) {
                outputs.add(new Output(1, least, 1, Map.of(), item.outlets.get(i), item.slots.get(i), Scope.OWN));
            }
        }
        for (int i = branches; i < item.outlets.size(); i++) { // how many items are of a type is not declared
            outputs.add(new Output(1, 0, Rate.UNKNOWN, Map.of(), item.outlets.get(i), item.slots.get(i), Scope.OWN));
        }
        return new Node(
                item.name,
                kind,
                item.isOrdered(),
                item.dropsItems(),
                item.takes,
                item.takenBytes,
                numbers(item, carried(item)),
                outputs);
    }

    private static int[] unbounded(int[] outlet) {
        int[] slots = new int[outlet.length];
        Arrays.fill(slots, Network.NONE);
        return slots;
    }

    private static Kind kind(PlannedPart item) {
        if (item.part instanceof FlowPipeline<?, ?> pipeline) {
            return kind(pipeline);
        }
        return item.keeper != null ? Kind.BOOKKEEPER : item.isStart() ? Kind.START : Kind.TASK;
    }

    private static Kind kind(FlowPipeline<?, ?> pipeline) {
        Distribution<?> its;
        try {
            its = pipeline.distribution().get();
        } catch (RuntimeException e) {
            return Kind.TO_SOME; // the check reports it
        }
        if (its == Distribution.roundRobin()) {
            return Kind.IN_TURN;
        } else if (its == Distribution.broadcast()) {
            return Kind.TO_ALL;
        }
        return its != null && choosesOne(its) ? Kind.TO_ONE : Kind.TO_SOME;
    }

    /** Returns true if the distribution sends each item to the one copy that it chooses. */
    private static boolean choosesOne(Distribution<?> its) {
        try {
            return its.getClass()
                            .getMethod("distribute", Object.class, Loads.class, IntConsumer.class)
                            .getDeclaringClass()
                    == Distribution.class;
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns a number that is equal for the copies of a rule that share one object; else {@link Network#UNKNOWN}. */
    private int shared(PlannedPart item, int rule) {
        if (item.keeper == null || item.keeper.rules.get(rule).isPerCopy()) {
            return Network.UNKNOWN;
        }
        int first = item.use.first().numbersOf(item.keeper).findFirst().orElseThrow();
        return item.use.isCopied() ? first * MOST_RULES + rule : Network.UNKNOWN;
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
        boolean isStated = edge.reason() != null;
        SizedEdge<?> sized = edge instanceof SizedEdge<?> its ? its : null;
        long limit = sized == null ? 0 : sized.bytes();
        return new PoolSize(
                planned.name(),
                edge.size(),
                isStated ? Math.max(1, edge.smallest()) : 0,
                new Bytes(
                        planned.isBound() ? 0 : layout == null ? Network.UNKNOWN : layout.bytes(),
                        limit,
                        sized == null || !isStated ? limit : Math.min(limit, sized.smallestBytes())),
                new Outside(edge.isTakenOutside(), edge.isReleasedOutside()),
                planned.consumer());
    }
}
