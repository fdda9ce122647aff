package dev.jacquard.sim;

import dev.jacquard.engine.plan.WorkGraph;
import org.jspecify.annotations.Nullable;

/**
 * The copies between places. Where links are shared, each direction of a link carries one copy at a time; the latencies
 * of several copies overlap, as those of the emulated device do. Threads: confined to one run.
 */
final class Links {
    private final WorkGraph graph;
    /**
     * By the places of both ends: the end of the last copy without its latency. Null where no copy waits for another.
     */
    private final double @Nullable [][] freeAt;

    Links(WorkGraph graph, boolean shared) {
        this.graph = graph;
        this.freeAt = shared ? new double[graph.places()][graph.places()] : null;
    }

    /** Begins the copy along {@code edge} at {@code now}, or when the link is free; returns the time of its arrival. */
    double arrival(int edge, int from, int to, double now) {
        double time = graph.copy(edge, from, to);
        if (freeAt == null || time == 0) {
            return now + time;
        }
        double latency = graph.latency(from, to);
        double end = Math.max(now, freeAt[from][to]) + (time - latency);
        freeAt[from][to] = end;
        return end + latency;
    }
}
