package dev.jacquard.core.graph;

import dev.jacquard.memory.data.Resource;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a resource that was made inside a task. No task before can have accessed it, so sub-tasks of that task,
 * and of those that it is a part of, may, though none of these has declared it. The parts of a resource share its
 * origin.
 *
 * <pre>
 *  depth 0   graph         first used here: a resource like others from now on; sub-tasks of its maker need a declared
 * access
 *  depth 1   inside of a   first used here: who uses it at depth 0 comes behind a
 *  depth 2   inside of b, a part of a, which made it
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

    /** By the thread that runs the body of {@code maker}. */
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
     * True if sub-tasks in {@code inside} may access it though their parent has not declared it: no task further out
     * does.
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
     * A task in {@code scope} is about to access it.
     *
     * @return the task there inside which others have accessed it, and which the new one comes behind; null when there
     *     is none, or it is over
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

    /** True if it says nothing any more: the resource is known outside, and all that its maker is a part of is over. */
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
