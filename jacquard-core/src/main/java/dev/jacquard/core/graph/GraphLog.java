package dev.jacquard.core.graph;

import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.insight.analysis.GraphSnapshot.Kind;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A log of every task and every edge of a graph, from its first task on. The log keeps names and numbers, and the tasks
 * themselves, so it grows with the graph.
 *
 * <p>Threads: guarded by its own monitor.
 */
final class GraphLog {
    private final String name;
    private final IdentityHashMap<TaskNode, Integer> numbers = new IdentityHashMap<>();
    private final List<Entry> entries = new ArrayList<>();
    private final List<Edge> edges = new ArrayList<>();

    GraphLog(String name) {
        this.name = name;
    }

    /** A task as it was submitted; its worker and time are added later. Guarded by the log's monitor. */
    private static final class Entry {
        final TaskNode task;
        final int parent;
        final int priority;
        final List<String> flags;
        final String accesses;
        long nanos = GraphSnapshot.Task.UNKNOWN;
        int worker = GraphSnapshot.Task.NONE;

        Entry(TaskNode task, int parent) {
            this.task = task;
            this.parent = parent;
            this.priority = task.priority();
            this.flags = task.flags().stream().map(Flag::name).sorted().toList();
            this.accesses = task.accessText();
        }
    }

    private record Edge(int earlier, int later, Kind kind, String label) {}

    synchronized void submitted(TaskNode task, @Nullable TaskNode parent) {
        numbers.put(task, entries.size());
        Integer above = parent == null ? null : numbers.get(parent);
        int number = entries.size();
        entries.add(new Entry(task, above == null ? GraphSnapshot.Task.NONE : above));
        if (task.isBarrier()) {
            for (int before = number - 1; before >= 0; before--) {
                Entry entry = entries.get(before);
                if (entry.parent == entries.get(number).parent) {
                    edges.add(new Edge(before, number, Kind.BARRIER, ""));
                    if (entry.task.isBarrier()) {
                        break; // tasks before that barrier are before this one too
                    }
                }
            }
        }
    }

    synchronized void edge(TaskNode earlier, TaskNode later, Kind kind, String label) {
        Integer from = numbers.get(earlier); // null when it belongs to another graph
        if (from != null) {
            edges.add(new Edge(from, Objects.requireNonNull(numbers.get(later)), kind, label));
        }
    }

    synchronized void ran(TaskNode task, int worker, long nanos) {
        Entry entry = entries.get(Objects.requireNonNull(numbers.get(task)));
        entry.worker = worker;
        entry.nanos = entry.nanos < 0 ? nanos : entry.nanos + nanos;
    }

    /** Returns a picture of the graph. Its tasks have the numbers of their submissions: see {@link #order}. */
    synchronized GraphSnapshot snapshot() {
        GraphSnapshot.Builder builder = GraphSnapshot.builder(name);
        int[] order = order();
        int[] ids = new int[order.length];
        for (int id = 0; id < order.length; id++) {
            ids[order[id]] = id;
            Entry entry = entries.get(order[id]);
            builder.task(GraphSnapshot.Task.of(id, entry.task.name())
                    .withState(entry.task.state().name())
                    .withWeight(entry.nanos)
                    .withParent(entry.parent < 0 ? entry.parent : ids[entry.parent])
                    .withPriority(entry.priority)
                    .withFlags(entry.flags)
                    .withWorker(entry.worker)
                    .withAccesses(entry.accesses));
        }
        edges.forEach(edge -> builder.edge(ids[edge.earlier], ids[edge.later], edge.kind, edge.label));
        return builder.build();
    }

    /**
     * Returns the numbers of the tasks in the order of the submissions, except that a task which waited for the first
     * member of a tag comes after that member, with its successors and sub-tasks.
     */
    private int[] order() {
        int[] inOrder = IntStream.range(0, entries.size()).toArray();
        if (edges.stream().allMatch(edge -> edge.earlier < edge.later)) {
            return inOrder;
        }
        List<List<Integer>> after = new ArrayList<>();
        int[] missing = new int[inOrder.length];
        entries.forEach(entry -> after.add(new ArrayList<>()));
        edges.forEach(edge -> {
            after.get(edge.earlier).add(edge.later);
            missing[edge.later]++;
        });
        for (int id = 0; id < inOrder.length; id++) {
            int parent = entries.get(id).parent;
            if (parent >= 0) {
                after.get(parent).add(id);
                missing[id]++;
            }
        }
        PriorityQueue<Integer> ready = new PriorityQueue<>();
        IntStream.range(0, inOrder.length).filter(id -> missing[id] == 0).forEach(ready::add);
        for (int place = 0; place < inOrder.length; place++) {
            int next = ready.remove();
            inOrder[place] = next;
            after.get(next).stream().filter(later -> --missing[later] == 0).forEach(ready::add);
        }
        return inOrder;
    }
}
