package dev.jacquard.engine.plan;

import java.util.Arrays;

/**
 * A plan in the making: tasks are placed one after the other, each after its predecessors, in the earliest gap that it
 * fits in. The insertion of Topcuoglu, Hariri and Wu.
 *
 * <p>Threads: confined to one.
 */
final class Draft {
    final WorkGraph graph;
    final int[] places;
    final double[] starts;
    final double[] ends;
    private final Timeline[] timelines;

    Draft(WorkGraph graph) {
        this.graph = graph;
        places = new int[graph.tasks()];
        starts = new double[graph.tasks()];
        ends = new double[graph.tasks()];
        timelines = new Timeline[graph.places()];
        Arrays.setAll(timelines, place -> new Timeline());
    }

    /** Forgets all tasks. */
    void clear() {
        for (Timeline timeline : timelines) {
            timeline.clear();
        }
    }

    /** Returns the time at which the data of a task is there. */
    private double ready(int task, int place) {
        double ready = 0;
        for (int edge : graph.in(task)) {
            int before = graph.from(edge);
            ready = Math.max(ready, ends[before] + graph.copy(edge, places[before], place));
        }
        return ready;
    }

    /** Returns the earliest end of a task at a place; infinite if it cannot run there. */
    double finish(int task, int place) {
        return graph.canRun(task, place) ? finish(task, place, ready(task, place)) : Double.POSITIVE_INFINITY;
    }

    /** Returns the earliest end of a task at a place where it can run, if its data is there at that time. */
    double finish(int task, int place, double ready) {
        double cost = graph.cost(task, place);
        return timelines[place].earliest(ready, cost) + cost;
    }

    /** Places a task at its earliest start there. */
    void put(int task, int place) {
        double cost = graph.cost(task, place);
        double start = timelines[place].earliest(ready(task, place), cost);
        places[task] = place;
        starts[task] = start;
        ends[task] = start + cost;
        timelines[place].add(start, cost);
    }

    /** Places a task where it ends first; of equal ends at the first place. */
    void putFirst(int task) {
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int place = 0; place < timelines.length; place++) {
            double finish = finish(task, place);
            if (finish < least) {
                least = finish;
                best = place;
            }
        }
        put(task, best);
    }

    /** Returns the end of the last task. */
    double makespan() {
        return Arrays.stream(timelines).mapToDouble(Timeline::end).max().orElse(0);
    }

    /** Returns the plan, which shares no array with this draft. */
    Plan plan(double bound) {
        return new Plan(places.clone(), starts.clone(), ends.clone(), bound);
    }
}
