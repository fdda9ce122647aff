package dev.jacquard.core.compiled;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The schedule of one graph, checked.
 *
 * @param scheduler the name of the scheduler that made it
 */
record OwnSchedule(String scheduler, Scheduler.Schedule schedule) {
    /**
     * Asks for the schedule of a graph that is being frozen.
     *
     * @param scheduler null for none
     * @param workers of the session
     * @throws IllegalArgumentException if there is no schedule, or a fixed one lacks a task, repeats one, or has one
     *     before its predecessor
     */
    static @Nullable OwnSchedule of(
            @Nullable Scheduler scheduler, String graph, Shown shown, Adjacency edges, int workers) {
        if (scheduler == null) {
            return null;
        }
        String name = Objects.requireNonNull(scheduler.name(), "the name of a scheduler");
        OwnSchedule own = new OwnSchedule(name, scheduler.schedule(shown.tasks(graph), workers));
        switch (own.schedule) {
            case null ->
                throw new IllegalArgumentException(
                        "scheduler \"" + name + "\" made no schedule of compiled graph \"" + graph + "\", but null");
            case Scheduler.Fixed fixed -> own.requireOrder(graph, fixed.tasks(), shown, edges);
            case Scheduler.Dynamic dynamic -> {}
        }
        return own;
    }

    private void requireOrder(String graph, List<Integer> order, Shown shown, Adjacency edges) {
        int[] places = new int[edges.tasks()];
        for (int i = 0; i < order.size(); i++) {
            int task = order.get(i);
            if (task < 0 || task >= places.length || places[task] != 0) {
                throw wrong(graph, "has task " + task + (task < 0 || task >= places.length ? " too much" : " twice"));
            }
            places[task] = 1 + i;
        }
        for (int task = 0; task < places.length; task++) {
            if (places[task] == 0) {
                throw wrong(graph, "lacks task " + task + " (\"" + shown.name(task) + "\")");
            }
            for (int edge : edges.from(task)) {
                int later = Adjacency.later(edge);
                if (places[later] != 0 && places[later] < places[task]) {
                    throw wrong(
                            graph,
                            "has task " + later + " (\"" + shown.name(later) + "\") before task " + task + " (\""
                                    + shown.name(task) + "\"), for which it waits");
                }
            }
        }
    }

    private IllegalArgumentException wrong(String graph, String what) {
        return new IllegalArgumentException("scheduler \"" + scheduler + "\": the schedule of compiled graph \"" + graph
                + "\" " + what + "; it needs each task once, after the tasks that it waits for");
    }
}
