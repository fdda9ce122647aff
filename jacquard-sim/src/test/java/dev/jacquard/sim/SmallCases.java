package dev.jacquard.sim;

import dev.jacquard.engine.plan.GraphPlacement;
import dev.jacquard.engine.plan.GraphPlacement.Limits;
import dev.jacquard.engine.plan.Plan;
import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * Random graphs for two workers of the host and a device four times as fast, and how near policies come to their
 * shortest plans: 6 to 12 tasks of 1 to 10 ms on the host, data of 0.1 to 64 MB over 10 GB/s, evenly over the logarithm
 * of the sizes. Times in nanoseconds.
 */
final class SmallCases {
    private static final int WORKERS = 2;
    private static final double SPEED = 4;
    private static final double LATENCY_NANOS = 10_000;
    private static final double NANOS_PER_BYTE = 0.1;
    private static final double LEAST_BYTES = 0.1e6;
    private static final double MOST_BYTES = 64e6;

    /** A graph and its shortest plan. */
    record Case(WorkGraph graph, Plan shortest) {}

    private SmallCases() {}

    static WorkGraph graph(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        WorkGraph.Builder graph = new WorkGraph.Builder(List.of("worker 0", "worker 1", "device"));
        for (int worker = 0; worker < WORKERS; worker++) {
            graph.link(worker, WORKERS, LATENCY_NANOS, NANOS_PER_BYTE);
            graph.link(WORKERS, worker, LATENCY_NANOS, NANOS_PER_BYTE);
        }
        int tasks = random.nextInt(6, 13);
        for (int task = 0; task < tasks; task++) {
            double nanos = random.nextDouble(1e6, 10e6);
            graph.task("t" + task, nanos, nanos, nanos / SPEED);
            int edges = Math.min(task, random.nextInt(3));
            for (int from :
                    random.ints(0, Math.max(1, task)).distinct().limit(edges).toArray()) {
                double bytes = LEAST_BYTES * Math.pow(MOST_BYTES / LEAST_BYTES, random.nextDouble());
                graph.edge(from, task, Math.rint(bytes));
            }
        }
        return graph.build();
    }

    /** Returns the cases of the seeds; a plan counts as the shortest if the budget does not prove it. */
    static List<Case> of(long first, int count, long budget) {
        return LongStream.range(first, first + count)
                .mapToObj(SmallCases::graph)
                .map(graph -> new Case(graph, shortest(graph, budget)))
                .toList();
    }

    private static Plan shortest(WorkGraph graph, long most) {
        Plan plan = GraphPlacement.search().plan(graph, Limits.DEFAULT);
        if (!plan.isProved() && most > Limits.DEFAULT.budget()) {
            plan = GraphPlacement.search().plan(graph, new Limits(Limits.DEFAULT.seed(), most));
        }
        return plan;
    }

    /**
     * Returns the makespans under a policy, divided by the shortest ones, in ascending order.
     *
     * @param sharedLinks true if copies wait for each other, which those of plans do not
     */
    static double[] ratios(String name, List<Case> cases, boolean sharedLinks) {
        Policy policy = Policies.named(name);
        List<Double> all = new ArrayList<>();
        for (Case its : cases) {
            Simulation.Options options = Simulation.Options.of(policy, WORKERS);
            SimulatedRun run = Simulation.run(its.graph(), sharedLinks ? options : options.withFreeLinks());
            all.add(run.makespan() / its.shortest().makespan());
        }
        double[] sorted = all.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return sorted;
    }

    /** Returns the value that so large a part of the sorted values is below. */
    static double part(double[] sorted, double part) {
        return sorted[(int) Math.min(sorted.length - 1, part * sorted.length)];
    }
}
