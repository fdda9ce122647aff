package dev.jacquard.sim;

import dev.jacquard.engine.plan.WorkGraph;
import java.util.ArrayList;
import java.util.List;

/** The longest path through a graph, each task where it takes least, without copies. Immutable. */
final class LongestPath {
    private final WorkGraph graph;
    /** By task: the longest path from its start to the end of the graph. */
    private final double[] tails;

    LongestPath(WorkGraph graph) {
        this.graph = graph;
        this.tails = new double[graph.tasks()];
        for (int task = tails.length - 1; task >= 0; task--) {
            double longest = 0;
            for (int edge : graph.out(task)) {
                longest = Math.max(longest, tails[graph.to(edge)]);
            }
            tails[task] = longest + least(graph, task);
        }
    }

    /** Returns the time of a task at the place where it takes least. */
    static double least(WorkGraph graph, int task) {
        double least = Double.POSITIVE_INFINITY;
        for (int place = 0; place < graph.places(); place++) {
            least = Math.min(least, graph.cost(task, place));
        }
        return least;
    }

    double time() {
        double longest = 0;
        for (double tail : tails) {
            longest = Math.max(longest, tail);
        }
        return longest;
    }

    /** Returns the tasks of the path, in its order. */
    List<Integer> tasks() {
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
