package dev.jacquard.insight.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * When each task starts and ends if workers are unlimited: the longest paths from the roots, in one pass over tasks and
 * edges.
 *
 * <p>Every task is two events, its start (2 i for the task at index i) and its end (2 i + 1), since a refined task
 * lasts from before its sub-tasks start until after they end:
 *
 * <pre>
 *  start(t) --weight--> end(t)      end(earlier) --> start(later)
 *  start(parent) --> start(sub)     end(sub) --> end(parent)
 * </pre>
 *
 * <p>Events are taken when all before them were (A. B. Kahn, "Topological sorting of large networks", 1962): the order
 * of ids alone would not do, as a sub-task is younger than tasks that wait for its parent.
 *
 * <p>Threads: confined while it computes, then immutable.
 */
final class EarliestTimes {
    private static final int NOBODY = -1;

    private final GraphSnapshot graph;
    private final long[] weights;
    /** Per task: where its later tasks begin in {@link #targets}; one more entry ends the last. */
    private final int[] offsets;

    private final int[] targets;
    private final int[] parents;
    private final int[] firstSub;
    private final int[] nextSub;
    /** Per event. */
    private final long[] times;

    private final int[] depths;
    private final int[] before;
    private final int[] missing;
    private final int[] queue;
    private int queued;

    /**
     * The times of {@code graph}.
     *
     * @throws IllegalArgumentException when tasks wait for each other through their sub-tasks
     */
    EarliestTimes(GraphSnapshot graph, long[] weights) {
        int tasks = weights.length;
        this.graph = graph;
        this.weights = weights;
        this.offsets = new int[tasks + 1];
        this.targets = new int[graph.edges().size()];
        this.parents = new int[tasks];
        this.firstSub = new int[tasks];
        this.nextSub = new int[tasks];
        this.times = new long[2 * tasks];
        this.depths = new int[2 * tasks];
        this.before = new int[2 * tasks];
        this.missing = new int[2 * tasks];
        this.queue = new int[2 * tasks];
        joinEdges();
        joinSubTasks();
        run();
    }

    long start(int task) {
        return times[2 * task];
    }

    /** The number of tasks that must be over one after another before the task: 0 for a root. */
    int depth(int task) {
        return depths[2 * task];
    }

    /** The end of the last task; 0 without tasks. */
    long end() {
        return queued == 0 ? 0 : times[lastEvent()];
    }

    /** The indices of the tasks with the bodies that make up a longest path, in order. */
    List<Integer> longestPath() {
        List<Integer> path = new ArrayList<>();
        for (int event = queued == 0 ? NOBODY : lastEvent(); event != NOBODY; event = before[event]) {
            if ((event & 1) == 1 && before[event] == event - 1) {
                path.add(event / 2);
            }
        }
        return path.reversed();
    }

    /** The number of different tasks that have an edge from the task. */
    int[] consumers() {
        int[] consumers = new int[weights.length];
        int[] seenFrom = new int[weights.length];
        Arrays.fill(seenFrom, NOBODY);
        for (int task = 0; task < consumers.length; task++) {
            for (int i = offsets[task]; i < offsets[task + 1]; i++) {
                if (seenFrom[targets[i]] != task) {
                    seenFrom[targets[i]] = task;
                    consumers[task]++;
                }
            }
        }
        return consumers;
    }

    private void joinEdges() {
        int[] from = new int[targets.length];
        int[] to = new int[targets.length];
        int count = 0;
        for (GraphSnapshot.Edge edge : graph.edges()) {
            from[count] = graph.indexOf(edge.earlier());
            to[count] = graph.indexOf(edge.later());
            offsets[from[count] + 1]++;
            missing[2 * to[count]]++;
            count++;
        }
        for (int task = 0; task < weights.length; task++) {
            offsets[task + 1] += offsets[task];
        }
        int[] next = Arrays.copyOf(offsets, weights.length);
        for (int edge = 0; edge < count; edge++) {
            targets[next[from[edge]]++] = to[edge];
        }
    }

    private void joinSubTasks() {
        Arrays.fill(firstSub, NOBODY);
        Arrays.fill(nextSub, NOBODY);
        for (int task = weights.length - 1; task >= 0; task--) {
            GraphSnapshot.Task it = graph.tasks().get(task);
            parents[task] = it.hasParent() ? graph.indexOf(it.parent()) : NOBODY;
            missing[2 * task + 1]++;
            if (it.hasParent()) {
                nextSub[task] = firstSub[parents[task]];
                firstSub[parents[task]] = task;
                missing[2 * task]++;
                missing[2 * parents[task] + 1]++;
            }
        }
    }

    private void run() {
        Arrays.fill(before, NOBODY);
        for (int task = 0; task < weights.length; task++) {
            if (missing[2 * task] == 0) {
                queue[queued++] = 2 * task;
            }
        }
        for (int done = 0; done < queued; done++) {
            int event = queue[done];
            if ((event & 1) == 0) {
                started(event / 2);
            } else {
                ended(event / 2);
            }
        }
        if (queued < queue.length) {
            throw new IllegalArgumentException("graph \"" + graph.name() + "\": " + stuck()
                    + " can never start: it waits, through sub-tasks, for a task that waits for it");
        }
    }

    private void started(int task) {
        int event = 2 * task;
        arrive(event + 1, event, weights[task], 0);
        for (int sub = firstSub[task]; sub != NOBODY; sub = nextSub[sub]) {
            arrive(2 * sub, event, 0, 0);
        }
    }

    private void ended(int task) {
        int event = 2 * task + 1;
        if (parents[task] != NOBODY) {
            arrive(2 * parents[task] + 1, event, 0, 0);
        }
        for (int i = offsets[task]; i < offsets[task + 1]; i++) {
            arrive(2 * targets[i], event, 0, 1);
        }
    }

    /**
     * {@code to} is not before {@code from} plus {@code nanos}. Of several equally late ones the last is kept, so that
     * a longest path ends at a leaf.
     */
    private void arrive(int to, int from, long nanos, int deeper) {
        if (times[from] + nanos >= times[to]) {
            times[to] = times[from] + nanos;
            before[to] = from;
        }
        depths[to] = Math.max(depths[to], depths[from] + deeper);
        if (--missing[to] == 0) {
            queue[queued++] = to;
        }
    }

    /** Of the latest events, the last in the queue: nothing comes after it. */
    private int lastEvent() {
        int last = queue[0];
        for (int event : queue) {
            if (times[event] >= times[last]) {
                last = event;
            }
        }
        return last;
    }

    private String stuck() {
        int task = 0;
        while (missing[2 * task] == 0) {
            task++;
        }
        return "task " + graph.tasks().get(task).id() + " \""
                + graph.tasks().get(task).name() + "\"";
    }
}
