package dev.jacquard.expressions.time;

import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.expressions.tree.Boundaries;
import dev.jacquard.expressions.tree.FieldStore;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The step, if there is one, that did not end, and has changed fields that advance: these are at no time then. A step
 * with fields that swap writes other fields than it reads, but for the ghosts, which its first tasks fill; a field with
 * ghosts that could not be filled has no values any more.
 *
 * <p>Threads: one at a time.
 */
final class LostStep {
    private final Problem problem;
    private final FieldStore fields;
    /** The time from which it led; NaN for no step. */
    private double from = Double.NaN;

    LostStep(Problem problem, FieldStore fields) {
        this.problem = problem;
        this.fields = fields;
    }

    /** Throws if there is one. */
    void requireNone() {
        if (!Double.isNaN(from)) {
            throw new IllegalStateException("a step from t = " + from + " did not end, and has changed some of the"
                    + " fields that advance: give them their values at some time, and call resume, or begin again");
        }
    }

    /** Runs a step that leads from {@code time}, and is the lost one if it does not end. */
    void run(double time, Runnable step) {
        from = problem.swaps() ? Double.NaN : time;
        try {
            step.run();
        } catch (TaskFailedException e) {
            from = hasFailedAtGhosts(e) ? time : from;
            throw e;
        }
        from = Double.NaN;
    }

    private boolean hasFailedAtGhosts(TaskFailedException failure) {
        Set<String> tasks =
                problem.boundaries(0, fields).stream().map(Boundaries::taskName).collect(Collectors.toSet());
        boolean any = tasks.contains(failure.task());
        for (Throwable other : failure.getSuppressed()) {
            any |= other instanceof TaskFailedException its && tasks.contains(its.task());
        }
        return any;
    }

    /** Forgets it: the fields have values at some time again. */
    void clear() {
        from = Double.NaN;
    }
}
