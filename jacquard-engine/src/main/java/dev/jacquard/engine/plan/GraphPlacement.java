package dev.jacquard.engine.plan;

/**
 * Chooses a place and a start for every task of a graph before it runs.
 *
 * <p>A placement is a function: the same graph and limits give the same plan, on any machine.
 *
 * <p>Threads: any number call it at a time.
 */
@FunctionalInterface
public interface GraphPlacement {
    /**
     * Returns a plan of {@code graph}: see {@link Plan#problem}.
     *
     * @throws IllegalArgumentException if a task can run at no place
     */
    Plan plan(WorkGraph graph, Limits limits);

    /**
     * The effort of a placement that searches.
     *
     * @param seed of its random numbers
     * @param budget the most tasks that it places, over all plans that it tries; at least one plan is made
     */
    record Limits(long seed, long budget) {
        /** The default: tens of milliseconds for a graph of 50 tasks. */
        public static final Limits DEFAULT = new Limits(1, 1_000_000);

        public Limits {
            if (budget < 0) {
                throw new IllegalArgumentException("a budget of " + budget + " tasks: 0 or more");
            }
        }
    }
}
