package dev.jacquard.sim;

import dev.jacquard.engine.plan.Plan;
import dev.jacquard.engine.plan.WorkGraph;

/**
 * One run of a graph by a plan: each place runs the tasks of the plan in its order, as soon as their data is there.
 * Data leaves for the place of the next task when it is made. Times may differ from the plan's where tasks take other
 * times, or copies wait for a link. Threads: confined to one.
 */
final class PlanRun {
    private final WorkGraph graph;
    private final Timeline time;
    private final int[] at;
    private final int[][] order;
    /** By place: the tasks that it has begun. */
    private final int[] begun;
    /** By task: the edges of which the earlier task has not ended. */
    private final int[] pending;

    PlanRun(Timeline time, Plan plan) {
        this.graph = time.graph;
        this.time = time;
        this.at = plan.places();
        this.order = new int[graph.places()][];
        for (int place = 0; place < order.length; place++) {
            order[place] = plan.tasksOn(place);
        }
        this.begun = new int[graph.places()];
        this.pending = new int[graph.tasks()];
        for (int task = 0; task < pending.length; task++) {
            pending[task] = graph.in(task).length;
        }
    }

    /** Runs all tasks; the plan has no {@linkplain Plan#problem problem}. */
    void run() {
        beginAll();
        while (time.advance()) {
            for (int place = time.nextEnd(); place != Timeline.NONE; place = time.nextEnd()) {
                end(place);
            }
            beginAll();
        }
    }

    private void end(int place) {
        int task = time.running[place];
        time.running[place] = Timeline.NONE;
        for (int edge : graph.out(task)) {
            int to = graph.to(edge);
            double arrival = time.links.arrival(edge, place, at[to], time.now());
            time.dataAt[to] = Math.max(time.dataAt[to], arrival);
            time.readyAt[to] = time.now(); // the last of several stays
            pending[to]--;
        }
    }

    private void beginAll() {
        for (int place = 0; place < order.length; place++) {
            int[] tasks = order[place];
            if (time.isIdle(place) && begun[place] < tasks.length && pending[tasks[begun[place]]] == 0) {
                time.begin(tasks[begun[place]++], place);
            }
        }
    }
}
