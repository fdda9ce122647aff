package dev.jacquard.engine.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Paths take the places on which they end first, the longest way to the end first.
 *
 * <pre>
 *  paths        tasks one after the other, each with one edge to the next, which has no other edge
 *  order        the path with the longest way from its first task to the end of the graph goes first
 *  assignment   for each path the places with the least end of all: a shortest way over tasks and places, where a step
 *               costs the copy between places, and the task; places are weighed by their tasks so far
 *  coalescing   tasks of a path that places with their own memory run one after the other go to one such place
 *  prefetch     the data of a consumer moves to its place as soon as the producer ends
 * </pre>
 *
 * <p>The outcome is held against all tasks on one place, as far as they can run there: it is never longer.
 *
 * <p>Source: the expressions thesis, sections 3.1.13 to 3.1.16.
 */
final class Hybrid implements GraphPlacement {
    @Override
    public Plan plan(WorkGraph graph, Limits limits) {
        return draft(graph).plan(graph.bound());
    }

    static Draft draft(WorkGraph graph) {
        int[] order = new Ranks(graph).order();
        Draft best = new Draft(graph);
        Paths paths = new Paths(graph, best);
        for (int[] path : paths(graph, order)) {
            paths.assign(path);
        }
        for (int place = 0; place < graph.places(); place++) {
            Draft alone = new Draft(graph);
            for (int task : order) {
                if (graph.canRun(task, place)) {
                    alone.put(task, place);
                } else {
                    alone.putFirst(task);
                }
            }
            best = alone.makespan() < best.makespan() ? alone : best;
        }
        return best;
    }

    /** Returns the paths, in the order of their first tasks. */
    private static List<int[]> paths(WorkGraph graph, int[] order) {
        List<int[]> paths = new ArrayList<>();
        boolean[] isIn = new boolean[graph.tasks()];
        for (int first : order) {
            if (isIn[first]) {
                continue;
            }
            int[] path = {first};
            isIn[first] = true;
            for (int last = first; graph.out(last).length == 1; ) {
                last = graph.to(graph.out(last)[0]);
                if (graph.in(last).length != 1) {
                    break;
                }
                path = Arrays.copyOf(path, path.length + 1);
                path[path.length - 1] = last;
                isIn[last] = true;
            }
            paths.add(path);
        }
        return paths;
    }

    /** The paths that have places so far. */
    private static final class Paths {
        private final WorkGraph graph;
        private final Draft draft;
        private final boolean[] isDevice;

        Paths(WorkGraph graph, Draft draft) {
            this.graph = graph;
            this.draft = draft;
            isDevice = new boolean[graph.places()];
            for (int place = 0; place < isDevice.length; place++) {
                isDevice[place] = isDevice(place);
            }
        }

        /** Returns true if no other place shares the memory of a place, though some do of others. */
        private boolean isDevice(int place) {
            boolean isApart = graph.places() > 1;
            for (int other = 0; other < graph.places(); other++) {
                isApart &= other == place || graph.startup(place, other) > 0 || graph.perUnit(place, other) > 0;
            }
            return isApart;
        }

        void assign(int[] path) {
            int[] places = fastest(path);
            for (int from = 0; from < path.length; ) {
                from = coalesce(path, places, from);
            }
            for (int i = 0; i < path.length; i++) {
                draft.put(path[i], places[i]);
            }
        }

        /** Returns the places with which a path ends first. */
        private int[] fastest(int[] path) {
            double[][] ends = new double[path.length][graph.places()];
            int[][] before = new int[path.length][graph.places()];
            for (int i = 0; i < path.length; i++) {
                for (int place = 0; place < graph.places(); place++) {
                    ends[i][place] = i == 0 ? draft.finish(path[0], place) : Double.POSITIVE_INFINITY;
                    for (int from = 0; i > 0 && from < graph.places(); from++) {
                        double end = end(path[i], ends[i - 1][from], from, place);
                        if (end < ends[i][place]) {
                            ends[i][place] = end;
                            before[i][place] = from;
                        }
                    }
                }
            }
            int[] places = new int[path.length];
            int last = 0;
            for (int place = 1; place < graph.places(); place++) {
                last = ends[path.length - 1][place] < ends[path.length - 1][last] ? place : last;
            }
            for (int i = path.length - 1; i >= 0; i--) {
                places[i] = last;
                last = before[i][last];
            }
            return places;
        }

        /** Returns the end of a task after the one before it on its path, which ends at another place or the same. */
        private double end(int task, double ended, int from, int place) {
            return ended < Double.POSITIVE_INFINITY && graph.canRun(task, place)
                    ? draft.finish(task, place, ended + graph.copy(graph.in(task)[0], from, place))
                    : Double.POSITIVE_INFINITY;
        }

        /** Puts the tasks of devices from one on to one device; returns the first task after them. */
        private int coalesce(int[] path, int[] places, int from) {
            if (!isDevice[places[from]]) {
                return from + 1;
            }
            boolean[] common = isDevice.clone();
            int to = from;
            while (to < path.length && isDevice[places[to]]) {
                boolean[] both = common.clone();
                boolean isAny = false;
                for (int place = 0; place < both.length; place++) {
                    both[place] &= graph.canRun(path[to], place);
                    isAny |= both[place];
                }
                if (!isAny) {
                    break; // no device can run all of them
                }
                common = both;
                to++;
            }
            int[] best = places;
            double least = Double.POSITIVE_INFINITY;
            for (int place = 0; place < common.length; place++) {
                if (common[place]) {
                    int[] on = places.clone();
                    Arrays.fill(on, from, to, place);
                    double end = end(path, on);
                    if (end < least) {
                        least = end;
                        best = on;
                    }
                }
            }
            System.arraycopy(best, 0, places, 0, places.length);
            return to;
        }

        private double end(int[] path, int[] places) {
            double end = draft.finish(path[0], places[0]);
            for (int i = 1; i < path.length; i++) {
                end = end(path[i], end, places[i - 1], places[i]);
            }
            return end;
        }
    }
}
