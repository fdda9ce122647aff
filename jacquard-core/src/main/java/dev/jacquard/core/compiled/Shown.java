package dev.jacquard.core.compiled;

import dev.jacquard.insight.analysis.GraphAnalysis;
import dev.jacquard.insight.analysis.GraphSnapshot;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
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
        addTo(all);
        return all.build();
    }

    /** Returns the tasks and edges without the contents of inner graphs: the ids of tasks are their numbers. */
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

    /** The tasks and edges of a graph, while the contents of graphs inside of it are added. */
    private static final class Level {
        final Shown shown;
        final long parent;
        /** By the number of the task. */
        final long[] ids;
        /** The next task to add. */
        int next;

        Level(Shown shown, long parent) {
            this.shown = shown;
            this.parent = parent;
            this.ids = new long[shown.tasks.length];
        }
    }

    /** Adds all tasks and edges, including inner graphs. By a stack on the heap, since graphs nest to any depth. */
    private void addTo(GraphSnapshot.Builder all) {
        Deque<Level> open = new ArrayDeque<>();
        open.push(new Level(this, GraphSnapshot.Task.NONE));
        long id = 0;
        while (!open.isEmpty()) {
            Level level = open.element();
            if (level.next == level.ids.length) {
                level.shown.addEdges(level.ids, all);
                open.pop();
                continue;
            }
            TaskTraits task = level.shown.tasks[level.next];
            level.ids[level.next++] = id;
            all.task(task.drawn(id).withParent(level.parent));
            if (task.inner() != null) {
                open.push(new Level(task.inner().graph().shown(), id));
            }
            id++;
        }
    }

    private void addEdges(long[] ids, GraphSnapshot.Builder all) {
        for (int i = 0; i < ids.length; i++) {
            for (int edge : edges.from(i)) {
                int later = Adjacency.later(edge);
                reasons.tell(i, later, ids[i], ids[later], all);
            }
        }
    }
}
