package dev.jacquard.core.graph;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reference to a task from resources that were made inside it, or inside a task that is a part of it. The resources
 * may outlive the task, and keep nothing of it alive then.
 *
 * <p>Threads: made by the body's thread and by the threads of its parts; read by any.
 */
final class Maker {
    /** The task of which this one is a part; null when it is a part of none. */
    final @Nullable Maker around;
    /** The number of tasks around this one. */
    final int depth;

    /** The task; null when it is over. Written by the worker that ends the task, after all its parts. */
    private volatile @Nullable TaskNode task;

    /** Creates a reference. For {@link TaskRun}, which keeps one for each task. */
    Maker(TaskNode task, @Nullable Maker around) {
        this.task = task;
        this.around = around;
        this.depth = around == null ? 0 : around.depth + 1;
    }

    /**
     * Returns the reference to {@code task}, which is not over, with the references to the tasks around it: a loop,
     * since tasks nest to any depth.
     */
    static Maker of(TaskNode task) {
        Deque<TaskNode> unknown = new ArrayDeque<>();
        Maker known = null;
        for (TaskNode each = task;
                known == null && each != null;
                each = each.scope().parent()) {
            known = each.ownTaskRun().maker();
            if (known == null) {
                unknown.push(each);
            }
        }
        for (TaskNode each : unknown) {
            known = each.ownTaskRun().maker(known);
        }
        return Objects.requireNonNull(known);
    }

    /** Returns the task; null if it is over. */
    @Nullable
    TaskNode task() {
        return task;
    }

    /** Returns true if the task is over, and so is every task that it is a part of. */
    boolean isPast() {
        Maker top = this;
        for (Maker above = around; above != null; above = above.around) {
            top = above;
        }
        return top.task == null;
    }

    /** Notes that the task is over. */
    void over() {
        task = null;
    }
}
