package dev.jacquard.flow;

import dev.jacquard.flow.Destinations.End;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.runtime.RunPlan.PoolPlan;
import dev.jacquard.flow.runtime.RunPlan.StagePlan.MemoryUse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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

    /** Adds the slots of the outlets of {@code item}: of all {@code outlets}, and then of their branches. */
    void add(PlannedPart item, List<Destinations> outlets) {
        for (Destinations outlet : outlets) {
            item.slots.add(outlet.ofAll().stream().mapToInt(this::pool).toArray());
        }
        for (Destinations outlet : outlets) {
            outlet.ofSome().forEach(end -> item.slots.add(new int[] {pool(end)}));
        }
    }

    private int pool(End end) {
        List<EdgeBound> bounds = end.bounds();
        if (bounds.isEmpty()) {
            return MemoryUse.NO_POOL;
        }
        int consumer = end.number();
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
            String edge = unused(bound.name(name));
            unfolding.pools.add(new PoolPlan(edge, MemoryEdge.ofPermits(edge, bound.slots()), null, consumer));
            return unfolding.pools.size() - 1;
        });
    }

    /** Returns the name of an edge, with a number if another edge joins the same parts. */
    private String unused(String name) {
        String found = name;
        for (int i = 2; isUsed(found); i++) {
            found = name + " #" + i;
        }
        return found;
    }

    private boolean isUsed(String name) {
        return unfolding.pools.stream().anyMatch(pool -> pool.name().equals(name));
    }

    /** An outlet of a part. */
    private record Way(PlannedPart part, int number) {
        private Destinations.@Nullable Branch branch() {
            int branch = number - part.outlets.size() + part.branches.size();
            return branch < 0 ? null : part.branches.get(branch);
        }

        /** Returns the number of the outlet that this one is a branch of, or of this one. */
        int origin() {
            Destinations.Branch branch = branch();
            return branch == null ? number : branch.of();
        }

        /** Returns true if items go out by way of a pipeline, or along an edge between siblings. */
        boolean hasNoRate() {
            return origin() >= part.rates().size();
        }

        /**
         * Returns the largest number of items that go out for each that comes in; {@link Rate#UNKNOWN} if that is not
         * declared.
         */
        int most() {
            Destinations.Branch branch = branch();
            long most = hasNoRate() ? Rate.UNKNOWN : part.rates().get(origin()).most;
            int ways = branch == null ? 1 : branch.passages().size();
            return (int) Math.min(Integer.MAX_VALUE, most < 0 ? Rate.UNKNOWN : most * ways);
        }
    }

    /** Lets items take the slots of the items that they may emit; they come after all buffers. */
    void addNeeds() {
        for (PlannedPart item : unfolding.items) {
            for (int outlet = 0; outlet < item.slots.size(); outlet++) {
                int most = new Way(item, outlet).most();
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
            Way way = new Way(item, outlet);
            int most = way.most();
            for (int pool : item.slots.get(outlet)) {
                if (pool == MemoryUse.NO_POOL) {
                    continue;
                }
                PoolPlan its = unfolding.pools.get(pool);
                String part = item.keeper == null
                        ? "task \"" + item.name + '"'
                        : "rule " + (way.origin() + 1) + " of bookkeeper \"" + item.name + '"';
                if (way.hasNoRate()) {
                    problems.add("edge \"" + its.name() + "\" has a bound, and \"" + item.name
                            + "\" sends items there as a pipeline, or along an edge between siblings: put a task"
                            + " before the edge, or leave out the bound");
                } else if (most < 0) {
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
