package dev.jacquard.engine.plan;

/**
 * Tries all plans of a small graph, but for those that cannot be shorter than the best one so far.
 *
 * <p>Some best plan starts each task as soon as its place and its data let it, and so comes from placing the tasks in
 * the order of their starts. A branch places one more task, which starts no earlier than the one before.
 *
 * <p>Threads: confined to one.
 */
final class Exact {
    private static final int MOST_TASKS = 12;

    private final WorkGraph graph;
    private final Plan first;
    /** Per task, the least time from its start to the end of the graph. */
    private final double[] up;

    private final int[] missing;
    private final int[] places;
    private final double[] starts;
    private final double[] ends;
    private final double[] free;
    private final boolean[] placed;

    private Plan best;
    private double least;
    private long left;
    private long placedTasks;

    Exact(WorkGraph graph, Plan first) {
        this.graph = graph;
        this.first = first;
        best = first;
        least = first.makespan();
        int tasks = graph.tasks();
        up = new double[tasks];
        for (int task = tasks - 1; task >= 0; task--) {
            for (int edge : graph.out(task)) {
                up[task] = Math.max(up[task], up[graph.to(edge)]);
            }
            double cost = Double.POSITIVE_INFINITY;
            for (int place = 0; place < graph.places(); place++) {
                cost = Math.min(cost, graph.cost(task, place));
            }
            up[task] += cost;
        }
        missing = new int[tasks];
        for (int task = 0; task < tasks; task++) {
            missing[task] = graph.in(task).length;
        }
        places = new int[tasks];
        starts = new double[tasks];
        ends = new double[tasks];
        placed = new boolean[tasks];
        free = new double[graph.places()];
    }

    static boolean isFor(WorkGraph graph) {
        return graph.tasks() <= MOST_TASKS;
    }

    /** Returns the number of tasks that were placed. */
    long placed() {
        return placedTasks;
    }

    /** Returns the best plan found within a budget of placed tasks, and proved if all were tried. */
    Plan search(long budget) {
        left = budget;
        branch(0, 0);
        placedTasks = budget - left;
        return left < 0
                ? best
                : new Plan(best.places(), best.starts(), best.ends(), Math.max(first.bound(), best.makespan()));
    }

    private void branch(int count, double last) {
        if (count == placed.length) {
            best = new Plan(places.clone(), starts.clone(), ends.clone(), first.bound());
            least = best.makespan();
            return;
        }
        for (int task = 0; task < placed.length; task++) {
            for (int place = 0; !placed[task] && missing[task] == 0 && place < free.length; place++) {
                if (left < 0 || least <= first.bound()) {
                    return;
                }
                if (graph.canRun(task, place)) {
                    tryAt(task, place, count, last);
                }
            }
        }
    }

    private void tryAt(int task, int place, int count, double last) {
        double start = free[place];
        for (int edge : graph.in(task)) {
            int before = graph.from(edge);
            start = Math.max(start, ends[before] + graph.copy(edge, places[before], place));
        }
        double end = start + graph.cost(task, place);
        left--;
        if (start < last || end >= least || !mayBeShorter(task, start, end)) {
            return;
        }
        double freeBefore = free[place];
        placed[task] = true;
        places[task] = place;
        starts[task] = start;
        ends[task] = end;
        free[place] = end;
        for (int edge : graph.out(task)) {
            missing[graph.to(edge)]--;
        }
        branch(count + 1, start);
        for (int edge : graph.out(task)) {
            missing[graph.to(edge)]++;
        }
        free[place] = freeBefore;
        placed[task] = false;
    }

    /** Returns true unless a task that is not placed would end too late: none starts before {@code start}. */
    private boolean mayBeShorter(int next, double start, double end) {
        for (int task = 0; task < placed.length; task++) {
            if (!placed[task] && task != next && start + up[task] >= least) {
                return false;
            }
        }
        for (int edge : graph.out(next)) {
            if (end + up[graph.to(edge)] >= least) {
                return false;
            }
        }
        return true;
    }
}
