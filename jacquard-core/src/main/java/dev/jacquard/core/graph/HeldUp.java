package dev.jacquard.core.graph;

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

    /** Returns true if {@code running}, or a task around it, holds what {@code task} needs of unordered resources. */
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
