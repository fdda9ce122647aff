package dev.jacquard.core.testing.random;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A program of components, or a stream, whose executions submit some jobs of a program: the opener runs it in place of
 * the first of them. Written out it is a list of executions in a serial order; the jobs stand in the order of that. Of
 * executions side by side the jobs commute, so that this order gives the same as any other.
 *
 * @param executions in a serial order
 */
record Composition(Form form, List<Execution> executions, Ending ending) {
    /** The components, or the stream, that submit the jobs, as a module above makes them. */
    sealed interface Form permits Components.Wiring, Streams.Shape {
        String text();
    }

    /**
     * An execution of a part, or of an item.
     *
     * @param waits whether it may wait
     * @param jobs the ids of the jobs that it submits, in turn
     * @param values what its sinks hold
     * @param leaves whether the loop that it ends is left
     * @param rest what it does then
     * @param obeys whether it ends when it was interrupted
     * @param behind the executions that are over before, by their places
     */
    record Execution(
            int part,
            boolean waits,
            List<Integer> jobs,
            List<Long> values,
            boolean leaves,
            Rest rest,
            boolean obeys,
            int[] behind) {}

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

    /** True if a job, or the one that it is part of, belongs to the item of a stream that may end early. */
    boolean mayCancel(Job job) {
        if (!mayStop() || !(form instanceof Streams.Shape stream)) {
            return false;
        }
        int whole = job.id() - job.id() % 100;
        return IntStream.range(0, executions.size())
                .filter(i -> stream.items().get(i).owns())
                .anyMatch(i -> executions.get(i).jobs().contains(whole));
    }

    /** The ids of all of its jobs. */
    Set<Integer> jobs() {
        Set<Integer> all = new HashSet<>();
        executions.forEach(execution -> all.addAll(execution.jobs));
        return all;
    }

    String text() {
        StringBuilder text =
                new StringBuilder(form.text()).append("  ").append(ending).append('\n');
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
