package dev.jacquard.engine.schedule;

import dev.jacquard.engine.work.ReadyTask;
import org.jspecify.annotations.Nullable;

/**
 * The exceptions of a policy that breaks its contract, or throws.
 *
 * @param name of the policy
 * @param isScheduler true if it is a scheduler of one graph: messages call it so
 */
record Breaches(String name, boolean isScheduler) {
    /** See {@link PolicyException}. */
    PolicyException breach(@Nullable String task, String what, @Nullable Throwable cause) {
        return isScheduler
                ? PolicyException.ofScheduler(name, task, what, cause)
                : new PolicyException(name, task, what, cause);
    }

    /** The method {@code call} threw; its argument was {@code task}, if it has one. */
    PolicyException threw(String call, @Nullable ReadyTask task, Throwable cause) {
        String its = task == null ? null : task.name();
        return breach(its, "threw from " + call + (its == null ? "" : " of task \"" + its + '"'), cause);
    }

    /** The policy answers null while tasks wait. */
    PolicyException keeps(long waiting, String where, String breach) {
        String tasks = waiting + " ready task" + (waiting == 1 ? "" : "s");
        return breach(null, "keeps " + tasks + where + " back: " + breach, null);
    }
}
