package dev.jacquard.engine.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A graph as paths: tasks one after the other, each the only successor of the one before it, which is its only
 * predecessor. No two tasks of a path can run at the same time. Each task is in one path, apart from inputs.
 *
 * <p>An input stands for data that is at a place when the graph begins: a task without predecessors that takes no time
 * and has one place. It is a predecessor of no task here.
 *
 * <p>Source: the expressions thesis, section 3.1.15.
 */
final class Paths {
    private static final int NONE = -1;
    private static final int SEVERAL = -2;

    private final WorkGraph graph;
    private final List<Integer> inputs = new ArrayList<>();
    private final List<int[]> all = new ArrayList<>();

    /**
     * Finds the paths.
     *
     * @param order of the tasks, each after its predecessors: that of the paths by their first tasks
     */
    Paths(WorkGraph graph, int[] order) {
        this.graph = graph;
        boolean[] isIn = new boolean[graph.tasks()];
        for (int task : order) {
            if (isInput(graph, task)) {
                inputs.add(task);
                isIn[task] = true;
            }
        }
        for (int first : order) {
            if (!isIn[first]) {
                all.add(from(first, isIn));
            }
        }
    }

    private int[] from(int first, boolean[] isIn) {
        int[] path = {first};
        isIn[first] = true;
        for (int next = successor(first); next >= 0 && predecessor(next) >= 0; next = successor(next)) {
            path = Arrays.copyOf(path, path.length + 1);
            path[path.length - 1] = next;
            isIn[next] = true;
        }
        return path;
    }

    /** Returns the only successor of a task; negative if it has none or several. */
    private int successor(int task) {
        int only = NONE;
        for (int edge : graph.out(task)) {
            only = only == NONE || only == graph.to(edge) ? graph.to(edge) : SEVERAL;
        }
        return only;
    }

    /** Returns the only predecessor of a task that is no input; negative if it has none or several. */
    private int predecessor(int task) {
        int only = NONE;
        for (int edge : graph.in(task)) {
            int from = graph.from(edge);
            if (!isInput(graph, from)) {
                only = only == NONE || only == from ? from : SEVERAL;
            }
        }
        return only;
    }

    /** Returns true if a task is an input. */
    static boolean isInput(WorkGraph graph, int task) {
        int place = only(graph, task);
        return place >= 0 && graph.cost(task, place) == 0 && graph.in(task).length == 0;
    }

    /** Returns the only place where a task can run; negative if there are several. */
    static int only(WorkGraph graph, int task) {
        int only = NONE;
        for (int place = 0; place < graph.places(); place++) {
            if (graph.canRun(task, place)) {
                only = only == NONE ? place : SEVERAL;
            }
        }
        return only;
    }

    /** Returns the inputs. */
    List<Integer> inputs() {
        return inputs;
    }

    /** Returns the paths. */
    List<int[]> all() {
        return all;
    }
}
