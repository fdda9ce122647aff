package dev.jacquard.engine.plan;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Searches a plan for places that are all alike and share a memory.
 *
 * <pre>
 *  perturb    the tasks in the order of their starts, some of which change at random
 *  sequence   each task at its earliest start, in that order
 *  justify    each task as late as it can be, the last one first; then as early, the first one first: never longer
 *  accept     a plan that is as short, with no more tasks that are late for the bound
 * </pre>
 *
 * <p>Tasks with the same time change their order from pass to pass, which alone leads out of most plans that no change
 * improves.
 *
 * <p>Source: Li and Willis, An iterative scheduling technique for resource-constrained project scheduling, European
 * Journal of Operational Research 56 (1992), for justification.
 *
 * <p>Threads: confined to one.
 */
final class EqualPlaces {
    private final SplittableRandom random;
    private final int tasks;
    private final double[] costs;
    /** Per task, its predecessors, each once; and its successors. */
    private final int[][] before;

    private final int[][] after;
    /** Per task, the longest way from its start to the end of the graph. */
    private final double[] up;

    private final double meanCost;
    private final Sequence sequence;

    /** The state of a pass: the ends of the tasks, in the direction of the pass; the time of the places' last ends. */
    private final double[] ends;

    private final double[] free;
    private final int[] placeOf;
    private long placed;

    /** The best plan so far. */
    private final int[] bestPlaces;

    private final double[] bestStarts;
    private double best = Double.POSITIVE_INFINITY;
    private int bestLate;

    EqualPlaces(WorkGraph graph, SplittableRandom random) {
        this.random = random;
        tasks = graph.tasks();
        costs = new double[tasks];
        before = new int[tasks][];
        after = new int[tasks][];
        for (int task = 0; task < tasks; task++) {
            costs[task] = graph.cost(task, 0);
            before[task] = distinct(graph.in(task), graph, true);
            after[task] = distinct(graph.out(task), graph, false);
        }
        up = new double[tasks];
        for (int task = tasks - 1; task >= 0; task--) {
            for (int next : after[task]) {
                up[task] = Math.max(up[task], up[next]);
            }
            up[task] += costs[task];
        }
        meanCost = Arrays.stream(costs).average().orElse(0);
        sequence = new Sequence(tasks);
        ends = new double[tasks];
        free = new double[Math.min(graph.places(), Math.max(1, tasks))];
        placeOf = new int[tasks];
        bestPlaces = new int[tasks];
        bestStarts = new double[tasks];
    }

    private static int[] distinct(int[] edges, WorkGraph graph, boolean isIn) {
        return Arrays.stream(edges)
                .map(edge -> isIn ? graph.from(edge) : graph.to(edge))
                .distinct()
                .toArray();
    }

    /** Returns true if a graph is of the kind that this search is for. */
    static boolean isFor(WorkGraph graph) {
        for (int from = 0; from < graph.places(); from++) {
            for (int to = 0; to < graph.places(); to++) {
                if (graph.startup(from, to) != 0 || graph.perUnit(from, to) != 0) {
                    return false;
                }
            }
        }
        for (int task = 0; task < graph.tasks(); task++) {
            for (int place = 1; place < graph.places(); place++) {
                if (graph.cost(task, place) != graph.cost(task, 0)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns a plan that is no longer than {@code first}. */
    Plan search(Draft first, double bound, long budget) {
        double[] keys = new double[tasks];
        for (int task = 0; task < tasks; task++) {
            keys[task] = first.starts[task];
        }
        attempt(keys, bound);
        while (placed < budget && best > bound * (1 + Plan.ROUNDING)) {
            perturb(keys);
            attempt(keys, bound);
        }
        double[] itsEnds = new double[tasks];
        Arrays.setAll(itsEnds, task -> bestStarts[task] + costs[task]);
        return new Plan(bestPlaces.clone(), bestStarts.clone(), itsEnds, bound);
    }

    /** Returns the number of tasks that were placed. */
    long placed() {
        return placed;
    }

    /** Changes the starts of the best plan, of all tasks or of some, by up to sixteen mean costs. */
    private void perturb(double[] keys) {
        double width = meanCost * (1 << random.nextInt(6)) * (0.5 + 0.5 * random.nextDouble());
        double share = random.nextInt(4) == 0 ? 1 : 0.1 + 0.4 * random.nextDouble();
        for (int task = 0; task < tasks; task++) {
            double change = random.nextDouble() < share ? width * (random.nextDouble() - 0.5) : 0;
            keys[task] = bestStarts[task] + change;
        }
    }

    private void attempt(double[] keys, double bound) {
        sequence.fill(keys, before, after);
        pass(before);
        double length = accept(bound);
        while (true) {
            sequence.reverse(ends);
            pass(after);
            sequence.reverse(ends);
            pass(before);
            double now = accept(bound);
            if (now >= length) {
                return;
            }
            length = now;
        }
    }

    /**
     * Gives each task of the sequence the earliest end after its neighbours before, at the place with the least gap.
     */
    private void pass(int[][] neighbours) {
        Arrays.fill(free, 0);
        for (int task : sequence.order) {
            double ready = 0;
            for (int neighbour : neighbours[task]) {
                ready = Math.max(ready, ends[neighbour]);
            }
            int place = 0;
            for (int other = 1; other < free.length; other++) {
                boolean isCloser = free[other] > free[place] ? free[other] <= ready : free[place] > ready;
                place = isCloser && free[other] != free[place] ? other : place;
            }
            ends[task] = Math.max(ready, free[place]) + costs[task];
            free[place] = ends[task];
            placeOf[task] = place;
        }
        placed += tasks;
    }

    /** Keeps the plan of a forward pass unless the best one is better; returns its length. */
    private double accept(double bound) {
        double length = 0;
        for (double end : free) {
            length = Math.max(length, end);
        }
        if (length > best) {
            return length;
        }
        int late = 0;
        for (int task = 0; task < tasks; task++) {
            late += ends[task] - costs[task] + up[task] > bound ? 1 : 0;
        }
        if (length < best || late <= bestLate) {
            best = length;
            bestLate = late;
            System.arraycopy(placeOf, 0, bestPlaces, 0, tasks);
            for (int task = 0; task < tasks; task++) {
                bestStarts[task] = ends[task] - costs[task];
            }
        }
        return length;
    }
}
