package dev.jacquard.core.testing.random;

import dev.jacquard.core.testing.random.Components.Wiring;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A program of components, whose executions submit some jobs of a program: the opener runs it in place of the first of
 * them. Written out it is a list of executions in a serial order; the jobs stand in the order of that. Of executions
 * side by side the jobs commute, so that this order gives the same as any other.
 *
 * @param executions in a serial order
 */
record Composition(Wiring wiring, List<Execution> executions, Ending ending) {
    /**
     * An execution of a part.
     *
     * @param jobs the ids of the jobs that it submits, in turn
     * @param values what its sinks hold
     * @param leaves whether the loop that it ends is left
     * @param rest what it does then
     * @param obeys whether it ends when it was interrupted
     * @param behind the executions that are over before, by their places
     */
    record Execution(
            int part, List<Integer> jobs, List<Long> values, boolean leaves, Rest rest, boolean obeys, int[] behind) {}

    /** What an execution waits for when all is submitted. */
    enum Rest {
        NOTHING,
        /** The tasks that it submitted. */
        JOINS,
        /** The first graph. */
        AWAITS,
        /** The graph that may be cancelled. */
        AWAITS_SECOND
    }

    /**
     * How it ends early.
     *
     * @param execution the one in which that happens
     * @param submitted how many of its jobs it submits before
     * @param pause how long that takes, where it happens at any time
     */
    record Ending(How how, int execution, int submitted, int pause) {
        enum How {
            /** It does not. */
            NONE,
            /** An execution fails. */
            FAILS,
            /** An execution cancels the program, and goes on. */
            CANCELS,
            /** Another thread cancels the program, perhaps too late. */
            CANCELS_LATER,
            /** An execution takes longer than it may. */
            LASTS
        }
    }

    /** True if it may end early: threads are interrupted, and jobs are left out. */
    boolean mayStop() {
        return ending.how != Ending.How.NONE;
    }

    /** The ids of all of its jobs. */
    Set<Integer> jobs() {
        Set<Integer> all = new HashSet<>();
        executions.forEach(execution -> all.addAll(execution.jobs));
        return all;
    }

    String text() {
        StringBuilder text = new StringBuilder("components: " + (wiring.parallel() ? "parallel" : "serial") + ", loops "
                + wiring.loops() + ", " + ending + "\n");
        for (int i = 0; i < wiring.parts().size(); i++) {
            text.append("  p")
                    .append(i)
                    .append(' ')
                    .append(wiring.parts().get(i))
                    .append('\n');
        }
        for (int i = 0; i < executions.size(); i++) {
            Execution its = executions.get(i);
            text.append("  ")
                    .append(i)
                    .append(": p")
                    .append(its.part)
                    .append(" submits ")
                    .append(its.jobs);
            text.append(its.rest == Rest.NOTHING ? "" : " " + its.rest).append(its.leaves ? " leaves" : "");
            text.append('\n');
        }
        return text.toString();
    }
}
