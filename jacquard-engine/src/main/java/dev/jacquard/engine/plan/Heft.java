package dev.jacquard.engine.plan;

/**
 * Heterogeneous earliest finish time: the task with the longest way to the end goes first, to the place where it ends
 * first.
 *
 * <p>Source: Topcuoglu, Hariri and Wu, IEEE TPDS 13 (2002), section 4.2.
 */
final class Heft implements GraphPlacement {
    @Override
    public Plan plan(WorkGraph graph, Limits limits) {
        return draft(graph).plan(graph.bound());
    }

    static Draft draft(WorkGraph graph) {
        Draft draft = new Draft(graph);
        for (int task : new Ranks(graph).order()) {
            draft.putFirst(task);
        }
        return draft;
    }
}
