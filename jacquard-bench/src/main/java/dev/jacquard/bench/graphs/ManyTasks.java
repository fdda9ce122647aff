package dev.jacquard.bench.graphs;

import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Resource;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * The memory left of a hundred million tasks of one graph on 1,024 handles: the heap after the first tenth of them, and
 * after the last. The submitter awaits the graph after every 100,000 tasks.
 */
final class ManyTasks extends Workload {
    private static final int TENTH = 10_000_000;
    private static final int QUICK_TENTH = 100_000;
    private static final int TENTHS = 10;
    private static final int BATCH = 100_000;
    private static final int HANDLES = 1024;
    private static final double MEBIBYTE = 1 << 20;

    ManyTasks() {
        super("memory.loop", "MiB", new Rounds(0, 1), new Rounds(0, 1));
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        return List.of(new Loop(Collections.max(plan.workers()), plan.quick() ? QUICK_TENTH : TENTH));
    }

    private static final class Loop extends Contender {
        private final int tenth;
        private final Session session;
        private final TaskGraph graph;
        private final Resource[] handles = new Resource[HANDLES];
        private final int[] counts = new int[HANDLES];

        Loop(int workers, int tenth) {
            super("jacquard", workers);
            this.tenth = tenth;
            session = Session.builder().workers(workers).open();
            graph = session.graph("loop", FailurePolicy.CONTINUE);
            Arrays.setAll(handles, i -> session.resource("handle"));
        }

        @Override
        public Map<String, Double> round() {
            submit(tenth);
            double first = PendingTasks.liveBytes() / MEBIBYTE;
            for (int i = 1; i < TENTHS; i++) {
                submit(tenth);
            }
            double last = PendingTasks.liveBytes() / MEBIBYTE;
            long sum = 0;
            for (int count : counts) {
                sum += count;
            }
            verify(sum == (long) TENTHS * tenth, "the number of tasks that ran");
            return Map.of(MAIN, last, ".start", first);
        }

        private void submit(int tasks) {
            for (int task = 0; task < tasks; task++) {
                int handle = task % HANDLES;
                graph.task("task").updates(handles[handle]).run(ctx -> counts[handle]++);
                if ((task + 1) % BATCH == 0) {
                    graph.await();
                }
            }
            graph.await();
        }

        @Override
        public void close() {
            session.close();
        }
    }
}
