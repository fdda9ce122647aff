package dev.jacquard.core.graph;

import dev.jacquard.memory.data.Resource;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a resource that was made inside a task. No earlier task can have accessed the resource. So sub-tasks of
 * its maker, and of the tasks around the maker, may access it, though none of these tasks has declared it. The parts of
 * a resource share its origin.
 *
 * <pre>
 *  depth 0   graph                  first used here: from now on a resource like others;
 *                                   sub-tasks of its maker need a declared access
 *  depth 1   inside of a            first used here: a task that uses it at depth 0 comes after a
 *  depth 2   inside of b, which     b is a part of a
 *            made the resource
 * </pre>
 *
 * <p>Threads: any; guarded by its monitor, below the lock of a scope.
 */
final class Origin {
    private static final int NEVER = Integer.MAX_VALUE;

    private final Maker maker;
    /** The depth of the outermost scope in which a task accesses it. Guarded by the monitor. */
    private int outermost = NEVER;
    /** The depth of the innermost one. Guarded by the monitor. */
    private int innermost = -1;

    /** Creates the origin of a resource. Called by the thread that runs the body of {@code maker}. */
    Origin(TaskNode maker) {
        this.maker = Maker.of(maker);
    }

    static @Nullable Origin of(Resource resource) {
        return (Origin) resource.origin();
    }

    boolean isMadeBy(TaskNode task) {
        return maker.task() == task;
    }

    /**
     * Returns true if sub-tasks in {@code inside} may access the resource though their parent has not declared it,
     * since no task further out accesses it.
     */
    synchronized boolean isFreeIn(Scope inside) {
        for (Maker each = maker; each != null; each = each.around) {
            if (each.task() == inside.parent()) {
                return outermost >= depth(inside);
            }
        }
        return false;
    }

    /**
     * Notes that a task in {@code scope} is about to access the resource.
     *
     * @return the task in {@code scope} inside which sub-tasks have accessed the resource, and which the new task must
     *     wait for; null when there is none, or it is over
     */
    synchronized @Nullable TaskNode enters(Scope scope) {
        int depth = depth(scope);
        outermost = Math.min(outermost, depth);
        innermost = Math.max(innermost, depth);
        if (innermost <= depth) {
            return null;
        }
        for (Maker each = maker; each != null; each = each.around) {
            if (each.depth == depth) {
                TaskNode task = each.task();
                return task != null && (depth == 0 || task.scope() == scope) ? task : null;
            }
        }
        return null;
    }

    /**
     * Returns true if the origin has no effect any more: the resource is known outside, and the maker and all tasks
     * around it are over.
     */
    boolean isPast() {
        return maker.isPast();
    }

    private static int depth(Scope scope) {
        int depth = 0;
        for (TaskNode task = scope.parent(); task != null; task = task.scope().parent()) {
            depth++;
        }
        return depth;
    }
}
