package dev.jacquard.core.compiled;

import dev.jacquard.core.execution.Ends;

/**
 * How a run of a compiled graph ended. A task counts once per pass.
 *
 * @param run which run of its graph: 1 is the first; 0 when none is over yet
 * @param passes how often the graph ran in it, 1 when nothing repeats it
 * @param tasks all, over all passes
 * @param failed their bodies threw
 * @param cancelled did not run, because of a failure or because the run was cancelled
 * @param skipped did not run, because another branch was chosen
 */
public record RunReport(long run, long passes, long tasks, long failed, long cancelled, long skipped) {
    /** Those that ended well. */
    public long done() {
        return tasks - failed - cancelled - skipped;
    }

    @Override
    public String toString() {
        return tasks + " tasks" + (passes > 1 ? " in " + passes + " passes: " : ": ")
                + new Ends(done(), failed, cancelled) + ", " + skipped + " skipped";
    }
}
