package dev.jacquard.core.compiled;

import dev.jacquard.core.execution.Ends;

/**
 * The outcome of a run of a compiled graph, in counts of tasks. A task counts once per pass.
 *
 * @param run the number of the run in its graph, from 1 on; 0 when none is over yet
 * @param passes the number of passes in the run; 1 when nothing repeats the graph
 * @param tasks the number of tasks, over all passes
 * @param failed the tasks whose bodies threw
 * @param cancelled the tasks that did not run because of a failure, or because the run was cancelled
 * @param skipped the tasks that did not run because another branch was chosen
 */
public record RunReport(long run, long passes, long tasks, long failed, long cancelled, long skipped) {
    /** Returns the number of tasks that ended well. */
    public long done() {
        return tasks - failed - cancelled - skipped;
    }

    @Override
    public String toString() {
        return tasks + " tasks" + (passes > 1 ? " in " + passes + " passes: " : ": ")
                + new Ends(done(), failed, cancelled) + ", " + skipped + " skipped";
    }
}
