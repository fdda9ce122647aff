package dev.jacquard.apps.graphs;

import dev.jacquard.components.program.InputException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** A graph while it is read: tasks in the order of their file, and edges in any direction. Threads: confined to one. */
final class GraphDraft {
    /** The most tasks of a graph: more are a mistake. */
    static final int MOST_TASKS = 10_000_000;

    private final String file;
    private final List<GraphFile.Task> tasks = new ArrayList<>();
    private final List<GraphFile.Edge> edges = new ArrayList<>();

    GraphDraft(String file) {
        this.file = file;
    }

    /** Adds a task; returns its number. */
    int task(String name, int priority, boolean main, double... costs) {
        tasks.add(new GraphFile.Task(name, priority, main, costs));
        return tasks.size() - 1;
    }

    void edge(int from, int to, double size) {
        edges.add(new GraphFile.Edge(from, to, size));
    }

    /**
     * Returns the numbers of the tasks in an order in which each comes after its predecessors, otherwise the file's.
     *
     * @throws InputException if there is a cycle; the message shows it
     */
    private int[] order(int[][] before) {
        int[] order = new int[before.length];
        int count = 0;
        boolean[] done = new boolean[before.length];
        int[] next = new int[before.length];
        Deque<Integer> path = new ArrayDeque<>();
        boolean[] onPath = new boolean[before.length];
        for (int task = 0; task < before.length; task++) {
            push(task, done, path, onPath);
            while (!path.isEmpty()) {
                int at = path.peek();
                if (next[at] < before[at].length) {
                    int earlier = before[at][next[at]++];
                    if (onPath[earlier]) {
                        throw cycle(earlier, path);
                    }
                    push(earlier, done, path, onPath);
                } else {
                    path.pop();
                    onPath[at] = false;
                    done[at] = true;
                    order[count++] = at;
                }
            }
        }
        return order;
    }

    private static void push(int task, boolean[] done, Deque<Integer> path, boolean[] onPath) {
        if (!done[task]) {
            path.push(task);
            onPath[task] = true;
        }
    }

    /** @param path the innermost first: each waits for the one before it, and the innermost for {@code task} */
    private InputException cycle(int task, Deque<Integer> path) {
        List<String> names = new ArrayList<>(List.of(tasks.get(task).name()));
        for (int at : path) {
            names.add(tasks.get(at).name());
            if (at == task) {
                break;
            }
        }
        return new InputException(
                file + ": the tasks " + shortened(names) + " wait for each other; expected a graph without a cycle");
    }

    private static String shortened(List<String> names) {
        int most = 20;
        return names.size() <= most
                ? String.join(" -> ", names)
                : String.join(" -> ", names.subList(0, most - 2)) + " -> … (" + (names.size() - 1) + " tasks) -> "
                        + names.getLast();
    }

    /** Returns the graph, with its tasks in an order in which each comes after its predecessors. */
    GraphFile build(GraphFile.Unit unit, GraphFile.Processors processors) {
        int[] counts = new int[tasks.size()];
        edges.forEach(edge -> counts[edge.to()]++);
        int[][] before = new int[tasks.size()][];
        Arrays.setAll(before, task -> new int[counts[task]]);
        for (GraphFile.Edge edge : edges.reversed()) {
            before[edge.to()][--counts[edge.to()]] = edge.from();
        }
        int[] order = order(before);
        int[] places = new int[order.length];
        List<GraphFile.Task> sorted = new ArrayList<>();
        for (int i = 0; i < order.length; i++) {
            places[order[i]] = i;
            sorted.add(tasks.get(order[i]));
        }
        List<GraphFile.Edge> renamed = new ArrayList<>();
        edges.forEach(edge -> renamed.add(new GraphFile.Edge(places[edge.from()], places[edge.to()], edge.size())));
        return new GraphFile(file, unit, processors, sorted, renamed);
    }
}
