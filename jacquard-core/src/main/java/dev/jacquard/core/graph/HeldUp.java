package dev.jacquard.core.graph;

import dev.jacquard.memory.access.AccessList;
import org.jspecify.annotations.Nullable;

/**
 * Finds the tasks and graphs that cannot be over before a running task is. The thread that runs the task must not wait
 * for them: the task is over only when the thread goes on.
 *
 * <p>Threads: any.
 */
final class HeldUp {
    private HeldUp() {}

    /** Returns true if {@code task} is {@code running}, or cannot be over before {@code running} is. */
    static boolean by(TaskNode running, TaskNode task) {
        return isExcluded(running, task) || Successors.findBehind(running, one -> one == task) != null;
    }

    /**
     * Returns true if {@code graph} has a task that is {@code running}, or cannot be over before {@code running} is.
     */
    static boolean by(TaskNode running, TaskGraph graph) {
        return Successors.findBehind(running, one -> one.scope().graph == graph) != null;
    }

    /**
     * Returns true if a task with these accesses could not be over before {@code running} is, were it submitted now.
     *
     * @param around the task inside which it would be submitted; null for none
     */
    static boolean wouldBe(TaskNode running, @Nullable TaskNode around, AccessList declared) {
        return Successors.findBehind(
                        running, one -> !isWithin(around, one) && declared.waitsFor(one.accessesUnlessOver()))
                != null;
    }

    private static boolean isWithin(@Nullable TaskNode task, TaskNode whole) {
        TaskNode its = task;
        while (its != null && its != whole) {
            its = its.scope().parent();
        }
        return its != null;
    }

    /** Returns true if {@code running}, or a task around it, holds unordered resources that {@code task} needs. */
    private static boolean isExcluded(TaskNode running, TaskNode task) {
        for (TaskNode its = running; its != null; its = its.scope().parent()) {
            if (its != task
                    && its.scope().exclusions() == task.scope().exclusions()
                    && task.accessesUnlessOver().excludes(its.accessesUnlessOver())) {
                return true;
            }
        }
        return false;
    }
}
