package dev.jacquard.engine.plan;

import java.util.Arrays;

/**
 * Times below which no plan of a graph can be.
 *
 * <pre>
 *  path       the longest way through the graph, with the cheapest choice of places for each way
 *  work       all tasks, divided among the places as if each could be cut: a bound of the linear program, by prices
 *  intervals  the work that must lie in an interval, if each task is as early, or as late, as it can be
 * </pre>
 *
 * <p>Where all times are whole numbers, the bound is one too: the tasks of some best plan begin when others end.
 *
 * <p>Source: Fernandez and Bussell, Bounds on the number of processors and time for multiprocessor optimal schedules,
 * IEEE Transactions on Computers 22 (1973), for intervals.
 */
final class Bounds {
    /** The part of a time that sums in another order may differ by; bounds are rounded up from a little below. */
    private static final double ROUNDING = 1e-9;

    private static final int PRICE_STEPS = 200;
    /** The steps that a bound may take, so that a large graph takes some tens of milliseconds. */
    private static final long MOST_STEPS = 20_000_000;

    private final WorkGraph graph;
    private final int tasks;
    private final int places;
    /** Per task, its least cost. */
    private final double[] costs;
    /** Per task, a time before which it cannot start. */
    private final double[] heads;
    /** Per task, a time that passes from its end to the end of the graph at least. */
    private final double[] tails;

    private final boolean isWhole;
    private double bound;

    private Bounds(WorkGraph graph) {
        this.graph = graph;
        tasks = graph.tasks();
        places = graph.places();
        costs = new double[tasks];
        heads = new double[tasks];
        tails = new double[tasks];
        isWhole = isWhole(graph);
        for (int task = 0; task < tasks; task++) {
            costs[task] = least(task);
        }
    }

    static double of(WorkGraph graph) {
        Bounds bounds = new Bounds(graph);
        bounds.path();
        bounds.work();
        bounds.intervals();
        return bounds.bound;
    }

    private double least(int task) {
        double least = Double.POSITIVE_INFINITY;
        for (int place = 0; place < places; place++) {
            least = Math.min(least, graph.cost(task, place));
        }
        return least;
    }

    private static boolean isWhole(WorkGraph graph) {
        for (int task = 0; task < graph.tasks(); task++) {
            for (int place = 0; place < graph.places(); place++) {
                if (graph.canRun(task, place) && graph.cost(task, place) != Math.rint(graph.cost(task, place))) {
                    return false;
                }
            }
        }
        for (int from = 0; from < graph.places(); from++) {
            for (int to = 0; to < graph.places(); to++) {
                if (graph.startup(from, to) != Math.rint(graph.startup(from, to))) {
                    return false;
                }
                for (int edge = 0; graph.perUnit(from, to) > 0 && edge < graph.edges(); edge++) {
                    if (graph.copy(edge, from, to) != Math.rint(graph.copy(edge, from, to))) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private void raise(double time) {
        bound = Math.max(bound, isWhole ? Math.ceil(time - time * ROUNDING) : time);
    }

    // ---- path

    /**
     * Where all places are alike, or there are too many for the time, a task has one time before it for all of them.
     */
    private void path() {
        boolean isFlat = EqualPlaces.isFor(graph) || (long) graph.edges() * places * places > MOST_STEPS;
        int width = isFlat ? 1 : places;
        double[][] before = new double[tasks][width];
        for (int task = 0; task < tasks; task++) {
            for (int edge : graph.in(task)) {
                int from = graph.from(edge);
                if (isFlat) {
                    before[task][0] = Math.max(before[task][0], before[from][0] + costs[from]);
                } else {
                    pass(edge, from, before[from], before[task], true);
                }
            }
        }
        double[][] after = new double[tasks][width];
        for (int task = tasks - 1; task >= 0; task--) {
            for (int edge : graph.out(task)) {
                int to = graph.to(edge);
                if (isFlat) {
                    after[task][0] = Math.max(after[task][0], after[to][0] + costs[to]);
                } else {
                    pass(edge, to, after[to], after[task], false);
                }
            }
        }
        for (int task = 0; task < tasks; task++) {
            double way = Double.POSITIVE_INFINITY;
            heads[task] = Double.POSITIVE_INFINITY;
            tails[task] = Double.POSITIVE_INFINITY;
            for (int place = 0; place < width; place++) {
                if (isFlat || graph.canRun(task, place)) {
                    heads[task] = Math.min(heads[task], before[task][place]);
                    tails[task] = Math.min(tails[task], after[task][place]);
                    double cost = isFlat ? costs[task] : graph.cost(task, place);
                    way = Math.min(way, before[task][place] + cost + after[task][place]);
                }
            }
            raise(way);
        }
    }

    /**
     * Raises the times of a task by one neighbour: its time and cost where they are least, and the copy from there.
     *
     * @param isForward the neighbour is before the task
     */
    private void pass(int edge, int neighbour, double[] its, double[] times, boolean isForward) {
        for (int place = 0; place < places; place++) {
            double least = Double.POSITIVE_INFINITY;
            for (int other = 0; other < places; other++) {
                double copy = isForward ? graph.copy(edge, other, place) : graph.copy(edge, place, other);
                least = Math.min(least, its[other] + graph.cost(neighbour, other) + copy);
            }
            times[place] = Math.max(times[place], least);
        }
    }

    // ---- work

    /**
     * With any prices of the places that are 1 in sum, the sum of the least cost times price of the tasks is a bound. A
     * place with more than its part of the work becomes dearer, step by step.
     */
    private void work() {
        double[] prices = new double[places];
        Arrays.fill(prices, 1.0 / places);
        double[] loads = new double[places];
        long steps = Math.max(1, Math.min(PRICE_STEPS, MOST_STEPS / 8 / Math.max(1, (long) tasks * places)));
        for (int step = 0; step < steps; step++) {
            Arrays.fill(loads, 0);
            double sum = 0;
            for (int task = 0; task < tasks; task++) {
                sum += cheapest(task, prices, loads);
            }
            raise(sum * (1 - ROUNDING));
            double most = Arrays.stream(loads).max().orElse(0);
            if (most == 0) {
                return;
            }
            double all = 0;
            for (int place = 0; place < places; place++) {
                prices[place] *= 1 + loads[place] / most / (1 + step * 0.25);
                all += prices[place];
            }
            for (int place = 0; place < places; place++) {
                prices[place] /= all;
            }
        }
    }

    /** Adds a task to the load of the place where it is cheapest; divides it among places that are as cheap. */
    private double cheapest(int task, double[] prices, double[] loads) {
        double least = Double.POSITIVE_INFINITY;
        int count = 0;
        for (int place = 0; place < places; place++) {
            double price = graph.cost(task, place) * prices[place];
            count = price < least ? 1 : price == least ? count + 1 : count;
            least = Math.min(least, price);
        }
        for (int place = 0; place < places; place++) {
            if (graph.cost(task, place) * prices[place] == least) {
                loads[place] += graph.cost(task, place) / count;
            }
        }
        return least;
    }

    // ---- intervals

    /** Raises the bound until no interval has more work than its places can do. */
    private void intervals() {
        double before = -1;
        for (int round = 0; bound > before && round < 8; round++) {
            before = bound;
            raise(before + excess(before) * (1 - ROUNDING));
        }
    }

    /** Returns how much longer an interval must be for its work, if the graph is to end at a time. */
    private double excess(double end) {
        double[] from = new double[2 * tasks];
        double[] to = new double[2 * tasks];
        for (int task = 0; task < tasks; task++) {
            from[2 * task] = heads[task];
            from[2 * task + 1] = end - tails[task] - costs[task];
            to[2 * task] = heads[task] + costs[task];
            to[2 * task + 1] = end - tails[task];
        }
        int most = (int) Math.max(2, Math.sqrt((double) MOST_STEPS / 8 / Math.max(1, tasks)));
        from = distinct(from, most);
        to = distinct(to, most);
        double excess = 0;
        for (double begin : from) {
            for (double last : to) {
                if (last > begin) {
                    excess = Math.max(excess, load(begin, last, end) / places - (last - begin));
                }
            }
        }
        return excess;
    }

    private double load(double from, double to, double end) {
        double load = 0;
        for (int task = 0; task < tasks; task++) {
            double early = heads[task] + costs[task] - from;
            double late = to - (end - tails[task] - costs[task]);
            load += Math.max(0, Math.min(Math.min(early, late), Math.min(costs[task], to - from)));
        }
        return load;
    }

    /** Returns the times in their order, each once; some of them, evenly chosen, if there are too many. */
    private static double[] distinct(double[] times, int most) {
        double[] sorted = Arrays.stream(times).sorted().distinct().toArray();
        if (sorted.length <= most) {
            return sorted;
        }
        double[] some = new double[most];
        for (int i = 0; i < most; i++) {
            some[i] = sorted[(int) ((long) i * (sorted.length - 1) / (most - 1))];
        }
        return some;
    }
}
