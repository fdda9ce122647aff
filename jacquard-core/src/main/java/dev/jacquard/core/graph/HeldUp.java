package dev.jacquard.core.graph;

import dev.jacquard.core.data.Resource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What cannot be over before a task that runs is. For threads that would wait for themselves: the task is over only
 * when the calling thread goes on.
 *
 * <p>Reads without locks what others change meanwhile, as {@link Survey} does. The stall watch tells what it misses.
 *
 * <p>Threads: any.
 */
final class HeldUp {
    /** More tasks are not followed. */
    private static final int MOST_FOLLOWED = 10_000;

    private final Set<Task> seen = new HashSet<>(); // tasks have no equality but identity
    private final Deque<Task> toFollow = new ArrayDeque<>();

    private HeldUp() {}

    /** Returns true if {@code task} is {@code running}, or cannot be over before that is. */
    static boolean by(Task running, Task task) {
        return isExcluded(running, task) || new HeldUp().finds(running, one -> one == task);
    }

    /** Returns true if {@code graph} has a task that is {@code running}, or cannot be over before that is. */
    static boolean by(Task running, TaskGraph graph) {
        return new HeldUp().finds(running, one -> one.scope().graph == graph);
    }

    /** Returns true if {@code running}, or a task around it, holds what {@code task} needs of unordered resources. */
    private static boolean isExcluded(Task running, Task task) {
        for (Task its = running; its != null; its = its.scope().parent()) {
            if (its != task
                    && its.scope().exclusions() == task.scope().exclusions()
                    && exclude(its.accessesUnlessOver(), task.accessesUnlessOver())) {
                return true;
            }
        }
        return false;
    }

    private static boolean exclude(@Nullable Object[] held, @Nullable Object[] needed) {
        for (int i = 0; i < held.length; i += 2) {
            Resource its = Accesses.resource(held, i);
            for (int j = 0; its.isUnordered() && j < needed.length; j += 2) {
                if (UserViews.conflict(
                        Accesses.resource(needed, j), Accesses.access(needed, j), its, Accesses.access(held, i))) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean finds(Task running, Predicate<Task> sought) {
        for (Task its = running; its != null; its = its.scope().parent()) {
            meet(its);
            // It runs, and so do the tasks around it: gates in front of them are open.
            for (Gate gate = its.scope().gatesNow(); gate != null; gate = gate.next) {
                meet(gate.task);
            }
        }
        for (Task task = toFollow.poll(); task != null && seen.size() < MOST_FOLLOWED; task = toFollow.poll()) {
            if (sought.test(task)) {
                return true;
            }
            follow(task);
        }
        return false;
    }

    private void follow(Task task) {
        for (Link link = task.laterTasks(); link != null; link = link.next) {
            if (!link.fired) {
                meet(link.later);
            }
        }
        Refinement inside = task.refinementNow();
        for (Link link = inside == null ? null : inside.startersNow(); link != null; link = link.next) {
            meet(link.later);
        }
        meet(task.scope().parent());
    }

    private void meet(@Nullable Task task) {
        if (task != null && !task.isOver() && seen.add(task)) {
            toFollow.add(task);
        }
    }
}
