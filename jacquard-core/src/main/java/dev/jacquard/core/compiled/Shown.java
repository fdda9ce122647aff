package dev.jacquard.core.compiled;

import dev.jacquard.insight.analysis.GraphAnalysis;
import dev.jacquard.insight.analysis.GraphSnapshot;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The tasks and edges of a graph as snapshots and drawings show them. Immutable, but for the times of tasks. */
final class Shown {
    /** The properties of the tasks, by number. */
    private final TaskTraits[] tasks;

    private final Adjacency edges;
    private final EdgeReasons reasons;
    private final @Nullable Decision repeat;

    /**
     * Takes the tasks and edges of a graph.
     *
     * @param repeat the decision on another pass; null for none
     */
    Shown(TaskTraits[] tasks, Adjacency edges, EdgeReasons reasons, @Nullable Decision repeat) {
        this.tasks = tasks;
        this.edges = edges;
        this.reasons = reasons;
        this.repeat = repeat;
    }

    /** Returns the properties of all tasks that drawings show, by number. */
    List<Dot.DrawnTask> drawn() {
        Map<Decision, Integer> choosers = new HashMap<>();
        for (TaskTraits task : tasks) {
            if (task.decision() != null) {
                choosers.put(task.decision(), task.index());
            }
        }
        return Arrays.stream(tasks).map(task -> drawn(task, choosers)).toList();
    }

    private Dot.DrawnTask drawn(TaskTraits task, Map<Decision, Integer> choosers) {
        Map<Integer, Integer> chosenBy = new LinkedHashMap<>();
        for (Guard guard : task.guards()) {
            chosenBy.put(Objects.requireNonNull(choosers.get(guard.decision())), guard.branch());
        }
        return new Dot.DrawnTask(
                task.inner() == null ? null : task.inner().graph(),
                task.decision() != null && task.decision() != repeat,
                task.decision() != null && task.decision() == repeat,
                chosenBy);
    }

    /** Returns the name of a task. */
    String name(int task) {
        return tasks[task].name();
    }

    GraphSnapshot snapshot(String graph) {
        GraphSnapshot.Builder all = GraphSnapshot.builder(graph);
        addTo(all, 0, GraphSnapshot.Task.NONE);
        return all.build();
    }

    /** Returns the tasks and edges without those of inner graphs: the ids of tasks are their numbers. */
    GraphSnapshot tasks(String graph) {
        GraphSnapshot.Builder all = GraphSnapshot.builder(graph);
        for (int i = 0; i < tasks.length; i++) {
            all.task(tasks[i].drawn(i));
        }
        for (int i = 0; i < tasks.length; i++) {
            for (int edge : edges.from(i)) {
                int later = Adjacency.later(edge);
                reasons.tell(i, later, i, later, all);
            }
        }
        return all.build();
    }

    /**
     * Returns the numbers of the tasks on the critical path, if that takes more than half of the time of all tasks, as
     * measured; else none.
     */
    BitSet bottlenecks() {
        BitSet numbers = new BitSet();
        if (Arrays.stream(tasks).anyMatch(task -> task.standing().nanos() > 0)) {
            GraphAnalysis analysis = GraphAnalysis.of(tasks("bottlenecks"));
            if (analysis.speedup() < 2) {
                analysis.criticalPath().forEach(id -> numbers.set(id.intValue()));
            }
        }
        return numbers;
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
