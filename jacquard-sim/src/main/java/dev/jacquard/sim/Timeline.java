package dev.jacquard.sim;

import dev.jacquard.engine.plan.Plan;
import dev.jacquard.engine.plan.WorkGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The places of a run under virtual time: the task that each runs, and the past of all tasks. The events are the ends
 * of tasks, and of copies that a task waits for without a place; of equal times ends of tasks come first, by the
 * numbers of their places, then copies, in the order in which they were asked for. Threads: confined to one run.
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

    private final EventHeap events = new EventHeap();
    /** By their numbers: the arrivals that tasks wait for. */
    private final EventHeap copies = new EventHeap();
    /** By the number of an arrival: the task. */
    private final List<Integer> waiting = new ArrayList<>();
    /** By edge: the place to which its data was sent; NONE before. */
    private final int[] sentTo;
    /** By edge: the arrival of its data there. */
    private final double[] arrivals;

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
        this.sentTo = filled(graph.edges());
        this.arrivals = new double[graph.edges()];
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

    /**
     * Sends the data of an edge to a place, now, unless that was its last way; its earlier task has ended.
     *
     * @return the time of its arrival
     */
    double send(int edge, int place) {
        if (!isSent(edge, place)) {
            sentTo[edge] = place;
            arrivals[edge] = links.arrival(edge, places[graph.from(edge)], place, now);
        }
        return arrivals[edge];
    }

    /** Returns true if the data of an edge is in the memory of that place, or on its way. */
    boolean isSent(int edge, int place) {
        int last = sentTo[edge];
        if (last == NONE || last == place) {
            return last == place;
        }
        int from = places[graph.from(edge)];
        return graph.copy(edge, last, place) == 0 && graph.copy(edge, from, last) == graph.copy(edge, from, place);
    }

    /** Sends the data of a task that is not on its way to a place, now; all tasks that it waits for have ended. */
    void fetch(int task, int place) {
        double last = now;
        for (int edge : graph.in(task)) {
            last = Math.max(last, send(edge, place));
        }
        dataAt[task] = last;
    }

    /** Sends the data of a task, of which none was sent, to a place, now. */
    void fetchAll(int task, int place) {
        double last = now;
        for (int edge : graph.in(task)) {
            last = Math.max(last, links.arrival(edge, places[graph.from(edge)], place, now));
        }
        dataAt[task] = last;
    }

    /** Makes the arrival of the data of a task an event. */
    void expectData(int task) {
        copies.add(waiting.size(), dataAt[task]);
        waiting.add(task);
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
        if (events.isEmpty() && copies.isEmpty()) {
            return false;
        }
        now = copies.isEmpty() || (!events.isEmpty() && events.time() <= copies.time()) ? events.time() : copies.time();
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

    /** Takes the next task of which the data has arrived by now; returns {@link #NONE} if there is none. */
    int nextArrival() {
        return copies.isEmpty() || copies.time() > now ? NONE : waiting.get(copies.take());
    }

    Plan plan(double bound) {
        return new Plan(places, starts, ends, bound);
    }
}
