package dev.jacquard.bench.graphs;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.sim.SimulatedRun;
import dev.jacquard.sim.Simulation;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** A random graph under virtual time, on 8 simulated workers: nanoseconds per task, by policy. */
final class SimulatedTasks extends Workload {
    private static final int TASKS = 200_000;
    private static final int QUICK_TASKS = 2_000;
    private static final int PLACES = 8;
    private static final int MOST_EDGES = 3;
    private static final int WINDOW = 200;

    SimulatedTasks() {
        super("simulate.random", "ns/task", new Rounds(0, 1), new Rounds(2, 5));
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        WorkGraph graph = graph(plan.quick() ? QUICK_TASKS : TASKS);
        return Stream.of("fifo", "priority", "minimum-load", "stealing")
                .map(policy -> (Contender) new OfPolicy(policy, graph))
                .toList();
    }

    private static WorkGraph graph(int tasks) {
        SplittableRandom random = new SplittableRandom(1);
        WorkGraph.Builder graph = new WorkGraph.Builder(Stream.iterate(0, worker -> worker + 1)
                .limit(PLACES)
                .map(worker -> "w" + worker)
                .toList());
        double[] costs = new double[PLACES];
        for (int task = 0; task < tasks; task++) {
            Arrays.fill(costs, 1 + random.nextInt(1_000_000));
            graph.task("kind " + task % 10, costs);
            for (int edge = Math.min(task, random.nextInt(MOST_EDGES + 1)); edge > 0; edge--) {
                graph.edge(task - 1 - random.nextInt(Math.min(task, WINDOW)), task, 0);
            }
        }
        return graph.build();
    }

    private static final class OfPolicy extends Contender {
        private final Clock clock = Clock.system();
        private final WorkGraph graph;
        private final Simulation.Options options;

        OfPolicy(String policy, WorkGraph graph) {
            super(policy, 1);
            this.graph = graph;
            this.options = Simulation.Options.of(Policies.named(policy), PLACES);
        }

        @Override
        public Map<String, Double> round() {
            long start = clock.nanoTime();
            SimulatedRun run = Simulation.run(graph, options);
            long nanos = clock.nanoTime() - start;
            verify(run.makespan() >= run.bound(), "the makespan");
            return Map.of(MAIN, (double) nanos / graph.tasks());
        }
    }
}
