package dev.jacquard.engine.plan;

import java.util.Arrays;

/**
 * Critical path on a processor: the tasks of one critical path go to the place that runs them fastest; the others where
 * they end first. The task on the longest way through the graph goes first.
 *
 * <p>Source: Topcuoglu, Hariri and Wu, IEEE TPDS 13 (2002), section 4.3.
 */
final class Cpop implements GraphPlacement {
    @Override
    public Plan plan(WorkGraph graph, Limits limits) {
        return draft(graph).plan(graph.bound());
    }

    static Draft draft(WorkGraph graph) {
        Ranks ranks = new Ranks(graph);
        double[] priority = ranks.down();
        Arrays.setAll(priority, task -> priority[task] + ranks.up[task]);
        boolean[] critical = criticalPath(graph, ranks);
        int place = fastest(graph, critical);
        Draft draft = new Draft(graph);
        Ranks.inOrder(graph, priority, task -> {
            if (critical[task] && graph.canRun(task, place)) {
                draft.put(task, place);
            } else {
                draft.putFirst(task);
            }
        });
        return draft;
    }

    private static boolean[] criticalPath(WorkGraph graph, Ranks ranks) {
        boolean[] critical = new boolean[graph.tasks()];
        int next = -1;
        for (int task = 0; task < critical.length; task++) {
            if (next < 0 || ranks.up[task] > ranks.up[next]) {
                next = task;
            }
        }
        while (next >= 0) {
            critical[next] = true;
            int longest = -1;
            double length = -1;
            for (int edge : graph.out(next)) {
                double itsLength = ranks.copy(edge) + ranks.up[graph.to(edge)];
                if (itsLength > length) {
                    length = itsLength;
                    longest = graph.to(edge);
                }
            }
            next = longest;
        }
        return critical;
    }

    /** Returns the place that can run most of the tasks; of these the one with the least sum of costs. */
    private static int fastest(WorkGraph graph, boolean[] tasks) {
        int best = 0;
        int most = -1;
        double least = 0;
        for (int place = 0; place < graph.places(); place++) {
            int count = 0;
            double sum = 0;
            for (int task = 0; task < tasks.length; task++) {
                if (tasks[task] && graph.canRun(task, place)) {
                    count++;
                    sum += graph.cost(task, place);
                }
            }
            if (count > most || (count == most && sum < least)) {
                best = place;
                most = count;
                least = sum;
            }
        }
        return best;
    }
}
