package dev.jacquard.sim;

import dev.jacquard.engine.plan.Plan;
import dev.jacquard.engine.plan.WorkGraph;
import java.util.Arrays;

/**
 * The places of a run under virtual time: the task that each runs, and the past of all tasks. The ends of tasks are the
 * only events; of equal times the place with the least number comes first. Threads: confined to one run.
 */
final class Timeline {
    /** No task, no place. */
    static final int NONE = -1;

    /** The graph with the times that policies know. */
    final WorkGraph graph;
    /** The graph with the times that tasks really take. */
    final WorkGraph drawn;

    final Links links;
    /** The task that runs at each place. */
    final int[] running;
    /** The place of each task. */
    final int[] places;
    /** The time at which the last task that each waits for has ended. */
    final double[] readyAt;
    /** The time at which the data of each task is at its place. */
    final double[] dataAt;

    final double[] starts;
    final double[] ends;

    private final EventHeap events;
    private double now;
    private int over;

    Timeline(WorkGraph graph, WorkGraph drawn, boolean sharedLinks) {
        int tasks = graph.tasks();
        this.graph = graph;
        this.drawn = drawn;
        this.links = new Links(graph, sharedLinks);
        this.running = filled(graph.places());
        this.places = filled(tasks);
        this.readyAt = new double[tasks];
        this.dataAt = new double[tasks];
        this.starts = new double[tasks];
        this.ends = new double[tasks];
        this.events = new EventHeap(graph.places());
    }

    private static int[] filled(int length) {
        int[] none = new int[length];
        Arrays.fill(none, NONE);
        return none;
    }

    double now() {
        return now;
    }

    /** Returns true if all tasks have ended. */
    boolean isOver() {
        return over == places.length;
    }

    boolean isIdle(int place) {
        return running[place] == NONE;
    }

    /** Sends the data of a task to a place, now; all tasks that it waits for have ended. */
    void fetch(int task, int place) {
        double last = now;
        for (int edge : graph.in(task)) {
            last = Math.max(last, links.arrival(edge, places[graph.from(edge)], place, now));
        }
        dataAt[task] = last;
    }

    /** Returns the time of the longest copy that a task, which is ready, waits for at a place. */
    double copyTime(int task, int place) {
        double longest = 0;
        for (int edge : graph.in(task)) {
            longest = Math.max(longest, graph.copy(edge, places[graph.from(edge)], place));
        }
        return longest;
    }

    /** Returns the size of the data of a ready task that is not at a place; of all its data for {@link #NONE}. */
    long missing(int task, int place) {
        double sum = 0;
        for (int edge : graph.in(task)) {
            boolean there = place != NONE && graph.copy(edge, places[graph.from(edge)], place) == 0;
            sum += there ? 0 : graph.size(edge);
        }
        return (long) sum;
    }

    /** Gives a place, which is idle, a task: it starts when its data is there. */
    void begin(int task, int place) {
        double start = Math.max(now, dataAt[task]);
        double end = start + drawn.cost(task, place);
        running[place] = task;
        places[task] = place;
        starts[task] = start;
        ends[task] = end;
        events.add(place, end);
    }

    /** Moves on to the next event; returns false if there is none. */
    boolean advance() {
        if (events.isEmpty()) {
            return false;
        }
        now = events.time();
        return true;
    }

    /** Takes the next event of this moment; returns its place, which still has its task, or {@link #NONE}. */
    int nextEnd() {
        if (events.isEmpty() || events.time() > now) {
            return NONE;
        }
        over++;
        return events.take();
    }

    Plan plan(double bound) {
        return new Plan(places, starts, ends, bound);
    }
}
