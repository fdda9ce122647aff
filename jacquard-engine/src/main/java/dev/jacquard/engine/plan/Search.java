package dev.jacquard.engine.plan;

import java.util.SplittableRandom;

/**
 * Begins with the best plan of the other placements, and searches a shorter one until the bound or the budget is
 * reached: {@link EqualPlaces} where all places are alike, else {@link Annealing}; and {@link Exact} for graphs so
 * small that all plans can be tried.
 *
 * <p>The budget counts placed tasks, no time, so that a seed gives the same plan on any machine.
 */
final class Search implements GraphPlacement {
    @Override
    public Plan plan(WorkGraph graph, Limits limits) {
        double bound = Bounds.of(graph);
        SplittableRandom random = new SplittableRandom(limits.seed());
        if (EqualPlaces.isFor(graph)) {
            EqualPlaces equal = new EqualPlaces(graph, random);
            Plan plan = equal.search(Heft.draft(graph), bound, limits.budget());
            return proved(graph, plan, limits.budget() - equal.placed());
        }
        Annealing annealing = new Annealing(graph, random, bound);
        long exact = Exact.isFor(graph) ? limits.budget() / 2 : 0;
        Plan plan = annealing.search(limits.budget() - exact);
        return proved(graph, plan, limits.budget() - annealing.placed());
    }

    /** Returns a shorter plan or the same, with its length as its bound if no plan is shorter. */
    private static Plan proved(WorkGraph graph, Plan plan, long budget) {
        return plan.isProved() || !Exact.isFor(graph) ? plan : new Exact(graph, plan).search(budget);
    }
}
