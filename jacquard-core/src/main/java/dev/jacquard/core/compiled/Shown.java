package dev.jacquard.core.compiled;

import dev.jacquard.insight.analysis.GraphSnapshot;
import java.util.List;

/** The tasks and edges of a graph as snapshots and drawings show them. Immutable, but for the times of tasks. */
final class Shown {
    /** The properties of the tasks, by number. */
    private final TaskTraits[] tasks;

    private final Adjacency edges;
    private final EdgeReasons reasons;
    private final List<Dot.DrawnTask> drawn;

    Shown(TaskTraits[] tasks, Adjacency edges, EdgeReasons reasons, List<Dot.DrawnTask> drawn) {
        this.tasks = tasks;
        this.edges = edges;
        this.reasons = reasons;
        this.drawn = drawn;
    }

    /** Returns the properties of a task that drawings show. */
    Dot.DrawnTask drawn(int task) {
        return drawn.get(task);
    }

    GraphSnapshot snapshot(String graph) {
        GraphSnapshot.Builder all = GraphSnapshot.builder(graph);
        addTo(all, 0, GraphSnapshot.Task.NONE);
        return all.build();
    }

    /** Adds all tasks and edges, with ids from {@code first} on; returns the id behind the last. */
    private long addTo(GraphSnapshot.Builder all, long first, long parent) {
        long[] ids = new long[tasks.length];
        long next = first;
        for (int i = 0; i < ids.length; i++) {
            TaskTraits task = tasks[i];
            ids[i] = next++;
            all.task(task.drawn(ids[i]).withParent(parent));
            if (task.inner() != null) {
                next = task.inner().graph().shown().addTo(all, next, ids[i]);
            }
        }
        for (int i = 0; i < ids.length; i++) {
            for (int edge : edges.from(i)) {
                int later = Adjacency.later(edge);
                reasons.tell(i, later, ids[i], ids[later], all);
            }
        }
        return next;
    }
}
