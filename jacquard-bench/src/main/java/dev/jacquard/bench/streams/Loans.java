package dev.jacquard.bench.streams;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.core.session.Session;
import dev.jacquard.flow.FlowGraph;
import dev.jacquard.flow.FlowRun;
import dev.jacquard.flow.FlowTask;
import dev.jacquard.flow.memory.MemoryEdge;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Items that each take a buffer and release it, in a graph with one memory edge, and in one with many. */
final class Loans extends Workload {
    private static final int[] POOLS = {1, 400};
    private static final int ITEMS = 200_000;
    private static final int QUICK_ITEMS = 5_000;
    private static final int BUFFERS = 8;

    Loans() {
        super("flow.loan", "ns/loan", new Rounds(0, 1), new Rounds(3, 9));
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        int items = plan.quick() ? QUICK_ITEMS : ITEMS;
        List<Contender> contenders = new ArrayList<>();
        for (int workers : plan.workers()) {
            for (int pools : POOLS) {
                contenders.add(new Lending(pools, workers, items, plan.clock()));
            }
        }
        return contenders;
    }

    /**
     * One task takes buffers and releases them; buffers of the other memory edges are for code outside of the graph.
     */
    private static final class Lending extends Contender {
        private final int items;
        private final Clock clock;
        private final Session session;
        private final LongAdder lent = new LongAdder();
        private final FlowGraph<Integer, Integer> graph;

        Lending(int pools, int workers, int items, Clock clock) {
            super("jacquard-" + pools + (pools == 1 ? "-pool" : "-pools"), workers);
            this.items = items;
            this.clock = clock;
            this.session = Session.builder().workers(workers).open();
            this.graph = FlowGraph.build("loans", g -> {
                MemoryEdge<int[]> edge = g.memory("used", BUFFERS, () -> new int[1]);
                for (int i = 1; i < pools; i++) {
                    g.memory("other " + i, BUFFERS, () -> new int[1])
                            .takenOutside()
                            .releasedOutside();
                }
                FlowTask<Integer, Integer> task = g.task("lend", 1, () -> (item, out) -> {
                    out.release(out.take(edge));
                    lent.increment();
                });
                g.input().to(task.takes(edge).releases(edge).endsHere());
            });
        }

        @Override
        public Map<String, Double> round() throws Exception {
            lent.reset();
            try (FlowRun<Integer, Integer> run = graph.start(session, FlowRun.Options.unbounded())) {
                long start = clock.nanoTime();
                for (int number = 0; number < items; number++) {
                    run.send(StageContender.item(number));
                }
                run.finish();
                run.await();
                long nanos = clock.nanoTime() - start;
                verify(lent.sum() == items, "the number of loans");
                return Map.of(MAIN, nanos / (double) items);
            }
        }

        @Override
        public void close() {
            session.close();
        }
    }
}
