package dev.jacquard.bench.graphs;

import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Resource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a task that waits: a million of them read one and update another of 1,024 handles, and none can start.
 * All share one body, so that the user's lambdas are not counted.
 */
final class PendingTasks extends Workload {
    private static final int TASKS = 1_000_000;
    private static final int QUICK_TASKS = 50_000;
    private static final int HANDLES = 1024;
    private static final int COLLECTIONS = 3;

    PendingTasks() {
        super("memory.pending", "bytes/task", new Rounds(0, 1), new Rounds(1, 3));
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        int tasks = plan.quick() ? QUICK_TASKS : TASKS;
        return List.of(new Jacquard(tasks), new CompletableFutures(tasks));
    }

    /** Bytes of the heap that are alive, after collections: one is not always enough for references and cleaners. */
    static double liveBytes() {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** One worker, which is the submitter: nothing runs before it waits. */
    private static final class Jacquard extends Contender {
        private final int tasks;
        private final Session session = Session.builder().workers(1).open();
        private final Resource[] handles = new Resource[HANDLES];

        Jacquard(int tasks) {
            super("jacquard", 1);
            this.tasks = tasks;
            Arrays.setAll(handles, i -> session.resource("handle"));
        }

        @Override
        public Map<String, Double> round() {
            LongAdder ran = new LongAdder();
            TaskBody body = ctx -> ran.increment();
            TaskGraph graph = session.graph("pending", FailurePolicy.CONTINUE);
            double before = liveBytes();
            for (int task = 0; task < tasks; task++) {
                graph.task("task")
                        .reads(handles[(task + 1) % HANDLES])
                        .updates(handles[task % HANDLES])
                        .run(body);
            }
            double after = liveBytes();
            graph.await();
            verify(ran.sum() == tasks, "the number of tasks that ran");
            return Map.of(MAIN, (after - before) / tasks);
        }

        @Override
        public void close() {
            session.close();
        }
    }

    /** A future per task, which waits for two others; the first ones for one that is completed at last. */
    private static final class CompletableFutures extends Contender {
        private final int tasks;
        private final ForkJoinPool pool = new ForkJoinPool(1);

        CompletableFutures(int tasks) {
            super("completablefuture", 1);
            this.tasks = tasks;
        }

        @Override
        public Map<String, Double> round() {
            LongAdder ran = new LongAdder();
            Runnable body = ran::increment;
            CompletableFuture<@Nullable Void> gate = new CompletableFuture<>();
            CompletableFuture<?>[] last = new CompletableFuture<?>[HANDLES];
            Arrays.fill(last, gate);
            double before = liveBytes();
            for (int task = 0; task < tasks; task++) {
                last[task % HANDLES] = last[task % HANDLES].runAfterBothAsync(last[(task + 1) % HANDLES], body, pool);
            }
            double after = liveBytes();
            gate.complete(null);
            CompletableFuture.allOf(last).join();
            verify(ran.sum() == tasks, "the number of tasks that ran");
            return Map.of(MAIN, (after - before) / tasks);
        }

        @Override
        public void close() {
            pool.close();
        }
    }
}
