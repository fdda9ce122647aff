package dev.jacquard.engine.plan;

import java.util.SplittableRandom;
import java.util.stream.Stream;

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
        double bound = graph.bound();
        SplittableRandom random = new SplittableRandom(limits.seed());
        if (EqualPlaces.isFor(graph)) {
            EqualPlaces equal = new EqualPlaces(graph, random);
            Plan plan = equal.search(Heft.draft(graph), bound, limits.budget());
            return proved(graph, shortest(graph, plan), limits.budget() - equal.placed());
        }
        Annealing annealing = new Annealing(graph, random, bound);
        long exact = Exact.isFor(graph) ? limits.budget() / 2 : 0;
        Plan plan = annealing.search(limits.budget() - exact);
        return proved(graph, plan, limits.budget() - annealing.placed());
    }

    /** Returns a plan, or that of another placement if it is shorter: few changes may be tried in a large graph. */
    private static Plan shortest(WorkGraph graph, Plan plan) {
        if (plan.isProved()) {
            return plan;
        }
        return Stream.of(Cpop.draft(graph), Peft.draft(graph), Hybrid.draft(graph))
                .map(other -> other.plan(plan.bound()))
                .reduce(plan, (best, other) -> other.makespan() < best.makespan() ? other : best);
    }

    /** Returns a shorter plan or the same, with its length as its bound if no plan is shorter. */
    private static Plan proved(WorkGraph graph, Plan plan, long budget) {
        return plan.isProved() || !Exact.isFor(graph) ? plan : new Exact(graph, plan).search(budget);
    }
}
