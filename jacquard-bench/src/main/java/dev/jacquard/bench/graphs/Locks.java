package dev.jacquard.bench.graphs;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Resource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Tasks that exclude each other by unordered resources. A task holds one resource while many wait for it; in that time
 * tasks with a resource of their own are submitted and awaited, and then the waiting tasks run.
 */
final class Locks extends Workload {
    private static final int WAITING = 50_000;
    private static final int QUEUED = 8_000;
    private static final int TASKS = 20_000;
    private static final int QUICK = 200;

    Locks() {
        super("dynamic.locks", "ns/task", new Rounds(0, 1), new Rounds(3, 15));
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        return plan.workers().stream()
                .<Contender>map(workers -> new Holders(workers, plan.quick(), plan.clock()))
                .toList();
    }

    private static final class Holders extends Contender {
        private final boolean quick;
        private final Clock clock;
        private final Session session;
        private final Resource contended;
        private final Resource own;
        /** Plain: the resources order the tasks that count. */
        private int waited;

        private int counted;

        Holders(int workers, boolean quick, Clock clock) {
            super("jacquard", workers);
            this.quick = quick;
            this.clock = clock;
            session = Session.builder().workers(workers).open();
            contended = session.unordered("contended");
            own = session.unordered("own");
        }

        @Override
        public Map<String, Double> round() throws InterruptedException {
            double alone = ownTasks();
            double[] beside = {0};
            queue(WAITING, () -> beside[0] = ownTasks());
            double queued = queue(QUEUED, () -> {});
            return Map.of(MAIN, beside[0], ".alone", alone, ".queue", queued);
        }

        /** Returns the nanoseconds for each of many tasks with a resource that no other task wants. */
        private double ownTasks() {
            int tasks = quick ? QUICK : TASKS;
            TaskGraph graph = session.graph("own", FailurePolicy.CONTINUE);
            counted = 0;
            long start = clock.nanoTime();
            for (int i = 0; i < tasks; i++) {
                graph.task("own").updates(own).run(ctx -> counted++);
            }
            graph.await();
            long nanos = clock.nanoTime() - start;
            verify(counted == tasks, "how many tasks ran");
            return nanos / (double) tasks;
        }

        /** Lets tasks wait for a resource that another one holds; returns the nanoseconds for each of them then. */
        private double queue(int most, Runnable meanwhile) throws InterruptedException {
            int tasks = quick ? QUICK : most;
            TaskGraph graph = session.graph("queue", FailurePolicy.CONTINUE);
            CompletableFuture<Boolean> end = new CompletableFuture<>();
            CompletableFuture<Boolean> held = new CompletableFuture<>();
            graph.task("holder").updates(contended).start(ctx -> {
                held.complete(true);
                return end;
            });
            waited = 0;
            for (int i = 0; i < tasks; i++) {
                graph.task("waits").updates(contended).run(ctx -> waited++);
            }
            session.awaitUntil(held::isDone);
            meanwhile.run();
            long start = clock.nanoTime();
            end.complete(true);
            graph.await();
            long nanos = clock.nanoTime() - start;
            verify(waited == tasks, "how many tasks waited");
            return nanos / (double) tasks;
        }

        @Override
        public void close() {
            session.close();
        }
    }
}
