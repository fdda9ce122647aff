package dev.jacquard.bench.streams;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.core.session.Session;
import dev.jacquard.flow.FlowGraph;
import dev.jacquard.flow.FlowRun;
import dev.jacquard.flow.FlowTask;
import java.util.List;
import java.util.Map;

/**
 * The cost of a profile per item: a run counts and measures always, so it is compared with one whose clock stands
 * still, and costs nothing to read. With cheap items in batches, and with each item on its own.
 */
final class ProfileCost extends Workload {
    private static final int ITEMS = 200_000;
    private static final int QUICK_ITEMS = 5_000;

    ProfileCost() {
        super("flow.profile", "ns/item", new Rounds(0, 2), new Rounds(3, 15));
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        int items = plan.quick() ? QUICK_ITEMS : ITEMS;
        Clock still = () -> 0;
        return List.of(
                new Counting("jacquard", false, plan.clock(), items, plan.clock()),
                new Counting("jacquard-without-times", false, still, items, plan.clock()),
                new Counting("jacquard-one-by-one", true, plan.clock(), items, plan.clock()),
                new Counting("jacquard-one-by-one-without-times", true, still, items, plan.clock()));
    }

    /** Items through one task, on one worker: the thread that sends them all, and then waits. */
    private static final class Counting extends Contender {
        private final int items;
        private final Clock clock;
        private final Session session;
        private final FlowGraph<Integer, Integer> graph;
        /** Confined to the copy of the task, then read by the contender's thread. */
        private int seen;

        Counting(String system, boolean oneByOne, Clock measures, int items, Clock clock) {
            super(system, 1);
            this.items = items;
            this.clock = clock;
            this.session = Session.builder().workers(1).clock(measures).open();
            this.graph = FlowGraph.build("profile", g -> {
                FlowTask<Integer, Integer> count = g.task("count", 1, () -> (item, out) -> seen++);
                g.input().to(oneByOne ? count.oneByOne() : count).endsHere();
            });
        }

        @Override
        public Map<String, Double> round() throws Exception {
            seen = 0;
            try (FlowRun<Integer, Integer> run = graph.start(session, FlowRun.Options.unbounded())) {
                long start = clock.nanoTime();
                for (int number = 0; number < items; number++) {
                    run.send(StageContender.item(number));
                }
                run.finish();
                run.await();
                long nanos = clock.nanoTime() - start;
                verify(seen == items, "the number of items");
                verify(run.profile().tasks().getFirst().itemsIn() == items, "the items of the profile");
                return Map.of(MAIN, nanos / (double) items);
            }
        }

        @Override
        public void close() {
            session.close();
        }
    }
}
