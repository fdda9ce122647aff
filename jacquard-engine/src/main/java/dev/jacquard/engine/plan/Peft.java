package dev.jacquard.engine.plan;

/**
 * Predicted earliest finish time: a task goes to the place where its end and the shortest way from there to the end of
 * the graph are least in sum.
 *
 * <p>The ways are in the optimistic cost table: {@code table[task][place]} is the longest of the shortest ways from the
 * end of the task at the place to the end of the graph, as if each place were free.
 *
 * <p>Source: Arabnejad and Barbosa, List scheduling algorithm for heterogeneous systems by an optimistic cost table,
 * IEEE TPDS 25 (2014).
 */
final class Peft implements GraphPlacement {
    @Override
    public Plan plan(WorkGraph graph, Limits limits) {
        return draft(graph).plan(graph.bound());
    }

    static Draft draft(WorkGraph graph) {
        double[][] table = table(graph);
        double[] priority = new double[graph.tasks()];
        for (int task = 0; task < priority.length; task++) {
            priority[task] = meanWay(graph, task, table[task]);
        }
        Draft draft = new Draft(graph);
        Ranks.inOrder(graph, priority, task -> draft.put(task, best(draft, task, table[task])));
        return draft;
    }

    private static double[][] table(WorkGraph graph) {
        Ranks ranks = new Ranks(graph);
        double[][] table = new double[graph.tasks()][graph.places()];
        for (int task = table.length - 1; task >= 0; task--) {
            for (int edge : graph.out(task)) {
                int to = graph.to(edge);
                double least = Double.POSITIVE_INFINITY;
                for (int place = 0; place < graph.places(); place++) {
                    least = Math.min(least, table[to][place] + graph.cost(to, place));
                }
                least += ranks.copy(edge);
                for (int place = 0; place < graph.places(); place++) {
                    double way = Math.min(least, table[to][place] + graph.cost(to, place));
                    table[task][place] = Math.max(table[task][place], way);
                }
            }
        }
        return table;
    }

    private static double meanWay(WorkGraph graph, int task, double[] ways) {
        double sum = 0;
        int count = 0;
        for (int place = 0; place < ways.length; place++) {
            if (graph.canRun(task, place)) {
                sum += ways[place];
                count++;
            }
        }
        return sum / count;
    }

    private static int best(Draft draft, int task, double[] ways) {
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int place = 0; place < ways.length; place++) {
            double way = draft.finish(task, place) + ways[place];
            if (way < least) {
                least = way;
                best = place;
            }
        }
        return best;
    }
}
