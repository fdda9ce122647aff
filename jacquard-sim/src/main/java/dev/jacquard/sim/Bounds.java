package dev.jacquard.sim;

import dev.jacquard.engine.plan.WorkGraph;
import java.util.ArrayList;
import java.util.List;

/** Times that no schedule of a graph can be below, and the time without a second place. Immutable. */
final class Bounds {
    private final WorkGraph graph;
    /** By task: the longest path from its start to the end of the graph, without copies. */
    private final double[] tails;

    private final double least;
    private final double sequential;

    Bounds(WorkGraph graph, Durations durations) {
        this.graph = graph;
        this.tails = new double[graph.tasks()];
        double sum = 0;
        for (int task = tails.length - 1; task >= 0; task--) {
            double longest = 0;
            for (int edge : graph.out(task)) {
                longest = Math.max(longest, tails[graph.to(edge)]);
            }
            double own = durations.least(task);
            tails[task] = longest + own;
            sum += own;
        }
        this.least = Math.max(criticalPath(), sum / graph.places());
        double alone = Double.POSITIVE_INFINITY;
        for (int place = 0; place < graph.places(); place++) {
            double all = 0;
            for (int task = 0; task < tails.length; task++) {
                all += durations.of(task, place);
            }
            alone = Math.min(alone, all);
        }
        this.sequential = alone < Double.POSITIVE_INFINITY ? alone : sum;
    }

    /** Returns a time that no schedule is below: that of the longest path, and of all work at all places. */
    double least() {
        return least;
    }

    /**
     * Returns the time of the graph at the one place where all its tasks take least; each at its best if there is none.
     */
    double sequential() {
        return sequential;
    }

    /** Returns the time of the longest path, each task at its best place, without copies. */
    double criticalPath() {
        double longest = 0;
        for (double tail : tails) {
            longest = Math.max(longest, tail);
        }
        return longest;
    }

    /** Returns the tasks of a longest path. */
    List<Integer> criticalTasks() {
        List<Integer> path = new ArrayList<>();
        int at = Timeline.NONE;
        for (int task = 0; task < tails.length; task++) {
            at = at == Timeline.NONE || tails[task] > tails[at] ? task : at;
        }
        while (at != Timeline.NONE) {
            path.add(at);
            int next = Timeline.NONE;
            for (int edge : graph.out(at)) {
                int to = graph.to(edge);
                next = next == Timeline.NONE || tails[to] > tails[next] ? to : next;
            }
            at = next;
        }
        return path;
    }
}
