package dev.jacquard.engine.plan;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A place, a start and an end for each task of a graph. Immutable: the arrays are not to be changed.
 *
 * @param places of the tasks
 * @param starts of the tasks
 * @param ends of the tasks
 * @param bound a time below which no plan of the graph can be
 */
@SuppressWarnings("ArrayRecordComponent") // searches make many; no plan is compared by value
public record Plan(int[] places, double[] starts, double[] ends, double bound) {
    /** The part of a time by which sums in another order may differ. */
    static final double ROUNDING = 1e-9;

    /** Returns the end of the last task; 0 without tasks. */
    public double makespan() {
        return Arrays.stream(ends).max().orElse(0);
    }

    /** Returns true if no plan can end earlier. */
    public boolean isProved() {
        return makespan() <= bound * (1 + ROUNDING);
    }

    /** Returns the tasks of a place in the order of their starts. */
    public int[] tasksOn(int place) {
        return IntStream.range(0, places.length)
                .filter(task -> places[task] == place)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer task) -> starts[task])
                        .thenComparingDouble(task -> ends[task])
                        .thenComparingInt(task -> task))
                .mapToInt(task -> task)
                .toArray();
    }

    /**
     * Returns what is wrong with the plan; null if each task is at a place where it can run, takes its time there,
     * starts when its data is there, and overlaps no other task of its place.
     */
    public @Nullable String problem(WorkGraph graph) {
        if (places.length != graph.tasks() || starts.length != places.length || ends.length != places.length) {
            return "the plan has " + places.length + " tasks, the graph " + graph.tasks();
        }
        double slack = ROUNDING * Math.max(1, makespan());
        for (int task = 0; task < places.length; task++) {
            int place = places[task];
            if (place < 0 || place >= graph.places() || !graph.canRun(task, place)) {
                return "\"" + graph.name(task) + "\" is at place " + place + ", where it cannot run";
            }
            if (starts[task] < 0 || Math.abs(ends[task] - starts[task] - graph.cost(task, place)) > slack) {
                return "\"" + graph.name(task) + "\" runs from " + starts[task] + " to " + ends[task] + ", and takes "
                        + graph.cost(task, place) + " on " + graph.place(place);
            }
            for (int edge : graph.in(task)) {
                int before = graph.from(edge);
                double ready = ends[before] + graph.copy(edge, places[before], place);
                if (starts[task] < ready - slack) {
                    return "\"" + graph.name(task) + "\" starts at " + starts[task] + ", and the data of \""
                            + graph.name(before) + "\" is there at " + ready;
                }
            }
        }
        for (int place = 0; place < graph.places(); place++) {
            int[] tasks = tasksOn(place);
            for (int i = 1; i < tasks.length; i++) {
                if (starts[tasks[i]] < ends[tasks[i - 1]] - slack) {
                    return "\"" + graph.name(tasks[i]) + "\" and \"" + graph.name(tasks[i - 1]) + "\" overlap on "
                            + graph.place(place);
                }
            }
        }
        return null;
    }
}
