package dev.jacquard.bench.streams;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.core.session.Session;
import dev.jacquard.flow.FlowGraph;
import dev.jacquard.flow.FlowRun;
import dev.jacquard.flow.FlowSource;
import dev.jacquard.flow.FlowTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The life of a graph of many tasks in a line: it is built, checked and started, one item goes through, and the run is
 * closed. {@code start} is the time until all copies are started.
 */
final class LongLine extends Workload {
    private static final int TASKS = 1000;
    private static final int QUICK_TASKS = 50;

    /** Many rounds warm up, since each runs the code of a graph's start once per task only. */
    LongLine() {
        super("flow.graph1000", "ms", new Rounds(0, 1), new Rounds(40, 15));
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        int tasks = plan.quick() ? QUICK_TASKS : TASKS;
        FlowRun.Options shared = FlowRun.Options.defaults();
        FlowRun.Options dedicated = shared.withDedicatedThreads();
        List<Contender> contenders = new ArrayList<>();
        for (int workers : plan.workers()) {
            contenders.add(new Lines("jacquard", workers, shared, false, tasks, plan.clock()));
        }
        contenders.add(new Lines("jacquard-dedicated", tasks + 1, dedicated, false, tasks, plan.clock()));
        contenders.add(new Lines("jacquard-new-threads", tasks + 1, dedicated, true, tasks, plan.clock()));
        return contenders;
    }

    private static final class Lines extends Contender {
        private final FlowRun.Options options;
        /** True if each round has a session, so that it finds no threads of an earlier round. */
        private final boolean isNew;

        private final int tasks;
        private final Clock clock;
        private Session session;

        /** With dedicated threads, {@code workers} are these and the sender. */
        Lines(String system, int workers, FlowRun.Options options, boolean isNew, int tasks, Clock clock) {
            super(system, workers);
            this.options = options;
            this.isNew = isNew;
            this.tasks = tasks;
            this.clock = clock;
            this.session = open();
        }

        private Session open() {
            return Session.builder().workers(workers() > tasks ? 1 : workers()).open();
        }

        @Override
        public Map<String, Double> round() {
            if (isNew) {
                session.close();
                session = open();
            }
            int results = 0;
            long begin = clock.nanoTime();
            FlowGraph<Integer, Integer> graph = FlowGraph.build("line", g -> {
                FlowSource<Integer> last = g.input();
                for (int i = 0; i < tasks; i++) {
                    FlowTask<Integer, Integer> next = g.task("task " + i, 1, () -> (item, out) -> out.emit(item + 1));
                    last.to(next);
                    last = next;
                }
                last.to(g.output());
            });
            long started;
            try (FlowRun<Integer, Integer> run = graph.start(session, options)) {
                started = clock.nanoTime();
                run.send(0);
                run.finish();
                for (int result : run) {
                    results += result;
                }
            }
            long end = clock.nanoTime();
            verify(results == tasks, "the number of tasks that had the item");
            return Map.of(MAIN, (end - begin) / 1e6, ".start", (started - begin) / 1e6);
        }

        @Override
        public void close() {
            session.close();
        }
    }
}
