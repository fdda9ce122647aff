package dev.jacquard.sim;

import dev.jacquard.engine.plan.WorkGraph;
import java.util.HashMap;
import java.util.Map;

/**
 * The copies between places. Where links are shared, each direction of a link carries one copy at a time; the latencies
 * of several copies overlap, as those of the emulated device do. Threads: confined to one run.
 */
final class Links {
    private final WorkGraph graph;
    private final boolean shared;
    /** By the place that sends; by the place that receives: the end of the last copy, without its latency. */
    private final Map<Integer, double[]> freeAt = new HashMap<>();

    Links(WorkGraph graph, boolean shared) {
        this.graph = graph;
        this.shared = shared;
    }

    /** Begins the copy along {@code edge} at {@code now}, or when the link is free; returns the time of its arrival. */
    double arrival(int edge, int from, int to, double now) {
        double time = graph.copy(edge, from, to);
        if (!shared || time == 0) {
            return now + time;
        }
        double[] free = freeAt.computeIfAbsent(from, none -> new double[graph.places()]);
        double latency = graph.startup(from, to);
        double end = Math.max(now, free[to]) + (time - latency);
        free[to] = end;
        return end + latency;
    }
}
