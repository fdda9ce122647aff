package dev.jacquard.core.graph;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A task as resources know it that were made inside of it, or of a task that is a part of it. They may outlive the
 * task, and keep nothing of it alive then.
 *
 * <p>Threads: made by the body's thread and by those of its parts; any may ask.
 */
final class Maker {
    /** The task of which this one is a part; null when it is a part of none. */
    final @Nullable Maker around;
    /** How many tasks are around it. */
    final int depth;

    /** Null when the task is over. Written by the worker that ends it, behind all its parts. */
    private volatile @Nullable TaskNode task;

    /** For {@link Extras}, which keeps one of each task. */
    Maker(TaskNode task, @Nullable Maker around) {
        this.task = task;
        this.around = around;
        this.depth = around == null ? 0 : around.depth + 1;
    }

    /** {@code task}, which is not over, with those around it: a loop, since tasks nest to any depth. */
    static Maker of(TaskNode task) {
        Deque<TaskNode> unknown = new ArrayDeque<>();
        Maker known = null;
        for (TaskNode each = task;
                known == null && each != null;
                each = each.scope().parent()) {
            known = each.ownExtras().maker();
            if (known == null) {
                unknown.push(each);
            }
        }
        for (TaskNode each : unknown) {
            known = Objects.requireNonNull(each.extras()).maker(each, known);
        }
        return Objects.requireNonNull(known);
    }

    /** The task; null when it is over. */
    @Nullable
    TaskNode task() {
        return task;
    }

    /** True if the task is over, and all that it is a part of. */
    boolean isPast() {
        Maker top = this;
        for (Maker above = around; above != null; above = above.around) {
            top = above;
        }
        return top.task == null;
    }

    /** The task is over. */
    void over() {
        task = null;
    }
}
