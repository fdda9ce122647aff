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
     * Returns the heterogeneous-earliest-finish-time placement: the task with the longest way to the end goes first, to
     * the place where it ends first, in a gap if one is long enough.
     */
    static GraphPlacement heft() {
        return new Heft();
    }

    /** Returns the critical-path-on-a-processor placement: the tasks of a longest way run at one place. */
    static GraphPlacement cpop() {
        return new Cpop();
    }

    /** Returns the predicted-earliest-finish-time placement: a place counts with the shortest way on from there. */
    static GraphPlacement peft() {
        return new Peft();
    }

    /**
     * Returns the hybrid placement: tasks that follow one another without branches are placed together, on one device
     * if devices run them.
     */
    static GraphPlacement hybrid() {
        return new Hybrid();
    }

    /** Returns the placement that begins with the others and searches until its plan is proved or the budget spent. */
    static GraphPlacement search() {
        return new Search();
    }

    /**
     * Searches a small graph for which this placement makes a plan that is long against the shortest: 3 to 5 tasks on 2
     * to 4 places of different kinds, all costs from 1 to 100 and copies from 0.01 to 100.
     *
     * @param limits the seed of the search, and the most tasks that it places in all
     */
    default WorkGraph worstCase(Limits limits) {
        return new Adversary(this, limits).search();
    }

    /**
     * The effort of a placement that searches.
     *
     * @param seed of its random numbers
     * @param budget the most tasks that it places, over all plans that it tries; at least one plan is made
     */
    record Limits(long seed, long budget) {
        /** The default: tens of milliseconds for a graph of 50 tasks. */
        public static final Limits DEFAULT = new Limits(1, 400_000);

        public Limits {
            if (budget < 0) {
                throw new IllegalArgumentException("a budget of " + budget + " tasks: 0 or more");
            }
        }
    }
}
