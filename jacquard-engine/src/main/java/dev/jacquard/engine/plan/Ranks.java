package dev.jacquard.engine.plan;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * The lengths of the ways through a graph, with mean costs over the places where a task can run, and mean copies over
 * the pairs of places.
 *
 * <p>Source: Topcuoglu, Hariri and Wu, Performance-effective and low-complexity task scheduling for heterogeneous
 * computing, IEEE TPDS 13 (2002), section 4.1.
 */
final class Ranks {
    private final WorkGraph graph;
    private final double startup;
    private final double perUnit;

    /** Per task, its mean cost. */
    final double[] means;

    /** Per task, the length of the longest way from its start to the end of the graph. */
    final double[] up;

    Ranks(WorkGraph graph) {
        this.graph = graph;
        int places = graph.places();
        double empty = 0;
        double unit = 0;
        for (int from = 0; from < places; from++) {
            for (int to = 0; to < places; to++) {
                empty += graph.startup(from, to);
                unit += graph.perUnit(from, to);
            }
        }
        double pairs = Math.max(1.0, (double) places * (places - 1));
        startup = empty / pairs;
        perUnit = unit / pairs;
        means = new double[graph.tasks()];
        up = new double[graph.tasks()];
        for (int task = means.length - 1; task >= 0; task--) {
            means[task] = meanCost(task);
            for (int edge : graph.out(task)) {
                up[task] = Math.max(up[task], copy(edge) + up[graph.to(edge)]);
            }
            up[task] += means[task];
        }
    }

    private double meanCost(int task) {
        double sum = 0;
        int count = 0;
        for (int place = 0; place < graph.places(); place++) {
            if (graph.canRun(task, place)) {
                sum += graph.cost(task, place);
                count++;
            }
        }
        return sum / count;
    }

    /** Returns the mean time of the copy along an edge. */
    double copy(int edge) {
        return startup + graph.size(edge) * perUnit;
    }

    /** Returns, per task, the length of the longest way from the begin of the graph to the start of the task. */
    double[] down() {
        double[] down = new double[means.length];
        for (int task = 0; task < down.length; task++) {
            for (int edge : graph.in(task)) {
                int before = graph.from(edge);
                down[task] = Math.max(down[task], down[before] + means[before] + copy(edge));
            }
        }
        return down;
    }

    /**
     * Returns the tasks, the longest way to the end first. Each comes after its predecessors: of equal ways the task
     * with the smaller number is first.
     */
    int[] order() {
        return IntStream.range(0, up.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer task) -> -up[task]).thenComparingInt(task -> task))
                .mapToInt(task -> task)
                .toArray();
    }

    /** Calls an action with each task, after its predecessors: of those that may be next the one of most priority. */
    static void inOrder(WorkGraph graph, double[] priority, IntConsumer action) {
        PriorityQueue<Integer> ready = new PriorityQueue<>(
                Comparator.comparingDouble((Integer task) -> -priority[task]).thenComparingInt(task -> task));
        int[] missing = new int[graph.tasks()];
        for (int task = 0; task < missing.length; task++) {
            missing[task] = graph.in(task).length;
            if (missing[task] == 0) {
                ready.add(task);
            }
        }
        for (Integer next = ready.poll(); next != null; next = ready.poll()) {
            action.accept(next);
            for (int edge : graph.out(next)) {
                int to = graph.to(edge);
                if (--missing[to] == 0) {
                    ready.add(to);
                }
            }
        }
    }
}
