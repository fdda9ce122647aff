package dev.jacquard.engine.plan;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Paths take the places on which they end first, the longest way to the end first.
 *
 * <pre>
 *  paths        tasks one after the other: see {@link Paths}
 *  order        the path with the longest way from its first task to the end of the graph goes first
 *  assignment   for each path the places with the least end of all: a shortest way over tasks and places, where a step
 *               costs the copy between places, and the task; places are weighed by their tasks so far
 *  coalescing   tasks of a path that devices run one after the other go to one device
 *  prefetch     the data of a consumer moves to its place as soon as the producer ends
 * </pre>
 *
 * <p>A device is a place that shares its memory with no other one, apart from the first place, which is the host.
 *
 * <p>The outcome is held against all tasks on one place, and on the host where they cannot run there, in this order and
 * in that of their numbers: it is never longer.
 *
 * <p>Source: the expressions thesis, sections 3.1.13 to 3.1.16.
 */
final class Hybrid implements GraphPlacement {
    private static final int NONE = -1;

    @Override
    public Plan plan(WorkGraph graph, Limits limits) {
        return draft(graph).plan(graph.bound());
    }

    static Draft draft(WorkGraph graph) {
        int[] order = new Ranks(graph).order();
        int[] byNumber = IntStream.range(0, graph.tasks()).toArray();
        boolean[] isDevice = devices(graph);
        Paths paths = new Paths(graph, order);
        Draft best = new Draft(graph);
        paths.inputs().forEach(best::putFirst);
        Assignment assignment = new Assignment(best, isDevice);
        paths.all().forEach(assignment::assign);
        for (int place = 0; place < graph.places(); place++) {
            for (int[] sequence : List.of(order, byNumber)) {
                Draft alone = alone(graph, sequence, place, isDevice);
                best = alone != null && alone.makespan() < best.makespan() ? alone : best;
            }
        }
        return best;
    }

    private static boolean[] devices(WorkGraph graph) {
        boolean[] isDevice = new boolean[graph.places()];
        for (int place = 1; place < isDevice.length; place++) {
            isDevice[place] = true;
            for (int other = 0; other < isDevice.length; other++) {
                isDevice[place] &= other == place || graph.startup(place, other) > 0 || graph.perUnit(place, other) > 0;
            }
        }
        return isDevice;
    }

    /** Returns all tasks at a place, and on the host those that cannot run there; null if some can on neither. */
    private static @Nullable Draft alone(WorkGraph graph, int[] order, int place, boolean[] isDevice) {
        Draft alone = new Draft(graph);
        for (int task : order) {
            int its = place;
            if (!graph.canRun(task, place)) {
                its = Paths.isInput(graph, task) ? Paths.only(graph, task) : onHost(alone, task, isDevice);
            }
            if (its == NONE) {
                return null;
            }
            alone.put(task, its);
        }
        return alone;
    }

    private static int onHost(Draft draft, int task, boolean[] isDevice) {
        int best = NONE;
        double least = Double.POSITIVE_INFINITY;
        for (int place = 0; place < isDevice.length; place++) {
            double end = isDevice[place] ? Double.POSITIVE_INFINITY : draft.finish(task, place);
            if (end < least) {
                least = end;
                best = place;
            }
        }
        return best;
    }

    /** Gives places to paths, one after the other. */
    private static final class Assignment {
        private final WorkGraph graph;
        private final Draft draft;
        private final boolean[] isDevice;

        Assignment(Draft draft, boolean[] isDevice) {
            this.graph = draft.graph;
            this.draft = draft;
            this.isDevice = isDevice;
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
                        double end = end(path, i, ends[i - 1][from], from, place);
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

        /** Returns the end of a task of a path after the one before it, which ends at another place or the same. */
        private double end(int[] path, int i, double ended, int from, int place) {
            if (ended == Double.POSITIVE_INFINITY || !graph.canRun(path[i], place)) {
                return Double.POSITIVE_INFINITY;
            }
            double ready = 0;
            for (int edge : graph.in(path[i])) {
                int source = graph.from(edge);
                boolean isBefore = source == path[i - 1];
                double begin = isBefore ? ended : draft.ends[source]; // inputs have their places
                ready = Math.max(ready, begin + graph.copy(edge, isBefore ? from : draft.places[source], place));
            }
            return draft.finish(path[i], place, ready);
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
                end = end(path, i, end, places[i - 1], places[i]);
            }
            return end;
        }
    }
}
