package dev.jacquard.bench.simulation;

import dev.jacquard.engine.plan.WorkGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Random graphs of tasks of 1 to 10 ms, in nanoseconds and bytes. All tasks are after the first one, which takes 10 ms:
 * so all are submitted before the others begin.
 */
final class DrawnGraph {
    /** The workers of the host, which are the first places. */
    static final int HOSTS = 4;
    /** The number of the device, where there is one. */
    static final int DEVICE = HOSTS;

    static final long BYTES_PER_SECOND = 10_000_000;
    static final long LATENCY_NANOS = 10_000;

    private static final long FIRST_NANOS = 10_000_000;
    private static final long LEAST_NANOS = 1_000_000;
    private static final long MOST_NANOS = 10_000_000;
    private static final int LEAST_TASKS = 20;
    private static final int MOST_TASKS = 60;
    private static final int WINDOW = 12;
    private static final int MOST_EDGES = 3;
    private static final int MOST_WORDS = 2_500;
    private static final int DEVICE_SPEED = 4;

    private DrawnGraph() {}

    /**
     * Returns a graph for the host, or one of which a third of the tasks runs on the host alone, a sixth on the device
     * alone, and half on either, on the device in a quarter of the time.
     *
     * @param copyNanos the time of a copy of a few bytes
     */
    static WorkGraph of(long seed, boolean device, long copyNanos) {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> places = new ArrayList<>();
        for (int worker = 0; worker < HOSTS; worker++) {
            places.add("worker " + worker);
        }
        if (device) {
            places.add("emulated0");
        }
        WorkGraph.Builder graph = new WorkGraph.Builder(places);
        for (int worker = 0; device && worker < HOSTS; worker++) {
            graph.link(worker, DEVICE, (double) copyNanos, 1e9 / BYTES_PER_SECOND);
            graph.link(DEVICE, worker, (double) copyNanos, 1e9 / BYTES_PER_SECOND);
        }
        int tasks = random.nextInt(LEAST_TASKS, MOST_TASKS + 1);
        for (int task = 0; task < tasks; task++) {
            long nanos = task == 0 ? FIRST_NANOS : random.nextLong(LEAST_NANOS, MOST_NANOS);
            int kind = task == 0 ? 0 : random.nextInt(6); // 0 and 1: the host; 2: the device; else both
            double[] costs = new double[places.size()];
            Arrays.fill(costs, kind == 2 && device ? Double.POSITIVE_INFINITY : nanos);
            if (device) {
                costs[DEVICE] = kind < 2 ? Double.POSITIVE_INFINITY : (double) nanos / (kind == 2 ? 1 : DEVICE_SPEED);
            }
            graph.task("t" + task, costs);
            edges(graph, task, random, device);
        }
        return graph.build();
    }

    private static void edges(WorkGraph.Builder graph, int task, SplittableRandom random, boolean device) {
        boolean[] known = new boolean[WINDOW + 1];
        for (int edge = random.nextInt(MOST_EDGES + 1); edge > 0 && task > 1; edge--) {
            int back = 1 + random.nextInt(Math.min(task - 1, WINDOW));
            if (!known[back]) {
                known[back] = true;
                graph.edge(task - back, task, device ? Double.BYTES * (1.0 + random.nextInt(MOST_WORDS)) : 0);
            }
        }
        if (task > 0) {
            graph.edge(0, task, 0);
        }
    }
}
