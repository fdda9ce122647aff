package dev.jacquard.flow;

import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.runtime.RunPlan;
import dev.jacquard.flow.runtime.RunPlan.PoolPlan;
import dev.jacquard.flow.runtime.RunPlan.StagePlan.MemoryUse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The bounded edges of an unfolded graph: each is a pool of slots for each task that it leads to. The parts that send
 * along it take a slot for each item that they may emit; a slot is free again when a copy of the consumer takes the
 * item.
 *
 * <p>Threads: confined to the thread that unfolds the graph.
 */
final class Slots {
    private final Flattening unfolding;
    /** The pool of each bounded edge and consumer. */
    private final Map<List<Object>, Integer> pools = new LinkedHashMap<>();

    Slots(Flattening unfolding) {
        this.unfolding = unfolding;
    }

    /** Adds an outlet of {@code item}. */
    void add(PlannedPart item, Ways ways) {
        int[] consumers = ways.consumers();
        int[] slots = new int[consumers.length];
        Arrays.fill(slots, MemoryUse.NO_POOL);
        for (int i = 0; i < consumers.length; i++) {
            List<EdgeBound> bounds = ways.bounds().get(i);
            if (!bounds.isEmpty() && consumers[i] != RunPlan.NOWHERE) {
                slots[i] = pool(bounds, consumers[i]);
            }
        }
        item.slots.add(slots);
        item.outlets.add(consumers);
    }

    private int pool(List<EdgeBound> bounds, int consumer) {
        EdgeBound bound = bounds.getFirst();
        if (consumer < 0 || unfolding.items.get(consumer).part instanceof FlowPipeline<?, ?>) {
            unfolding.problems.add("edge \"" + bound.name(consumer < 0 ? "output" : unfolding.items.get(consumer).name)
                    + "\" cannot have a bound: "
                    + (consumer < 0
                            ? "state the number of results that wait with FlowRun.Options.withResultBound"
                            : "bound the edges in the graph of the pipeline"));
            return MemoryUse.NO_POOL;
        }
        String name = unfolding.items.get(consumer).name;
        if (bounds.size() > 1) {
            unfolding.problems.add("two bounds hold for items on their way to \"" + name + "\", of edges \""
                    + bound.name(name) + "\" and \"" + bounds.getLast().name(name) + "\": leave one of them out");
            return MemoryUse.NO_POOL;
        }
        return pools.computeIfAbsent(List.of(bound, consumer), its -> {
            unfolding.pools.add(new PoolPlan(
                    bound.name(name), MemoryEdge.ofPermits(bound.name(name), bound.slots()), null, consumer));
            return unfolding.pools.size() - 1;
        });
    }

    /** Lets items take the slots of the items that they may emit; they come after all buffers. */
    void addNeeds() {
        for (PlannedPart item : unfolding.items) {
            List<Rate> rates = item.rates();
            for (int outlet = 0; outlet < item.slots.size(); outlet++) {
                int most = rates.get(outlet).most;
                for (int pool : item.slots.get(outlet)) {
                    if (pool != MemoryUse.NO_POOL && most > 0) {
                        item.takes.merge(pool, most, (a, b) -> (int) Math.min(Integer.MAX_VALUE, (long) a + b));
                    }
                }
            }
        }
    }

    /** Returns the problems of the bounded edges that leave {@code item}. */
    static List<String> problems(Flattening unfolding, PlannedPart item) {
        List<String> problems = new ArrayList<>();
        for (int outlet = 0; outlet < item.slots.size(); outlet++) {
            int most = item.rates().get(outlet).most;
            for (int pool : item.slots.get(outlet)) {
                if (pool == MemoryUse.NO_POOL) {
                    continue;
                }
                PoolPlan its = unfolding.pools.get(pool);
                String part = item.keeper == null
                        ? "task \"" + item.name + '"'
                        : "rule " + (outlet + 1) + " of bookkeeper \"" + item.name + '"';
                if (most < 0) {
                    problems.add("edge \"" + its.name() + "\" has a bound, and " + part
                            + " declares no number of items: declare the items that it emits per item with emits(n), or"
                            + " emits(least, most)");
                } else if (most > its.edge().size()) {
                    problems.add("edge \"" + its.name() + "\" has a bound of "
                            + its.edge().size() + ", and " + part + " may emit " + most
                            + " items per item: make it at least " + most);
                }
            }
        }
        return problems;
    }
}
