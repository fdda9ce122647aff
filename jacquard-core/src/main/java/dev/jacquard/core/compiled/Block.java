package dev.jacquard.core.compiled;

import dev.jacquard.core.graph.WorkerContext;
import org.jspecify.annotations.Nullable;

/**
 * Stands for tasks that become ready together, so that they need not all go through the queue.
 *
 * <p>A block of many leaves its right half in the queue and goes on with its left, so thieves, who take the oldest, take big
 * pieces. A small one runs its tasks one after the other, but leaves the rest of itself in the queue before it runs a task while the
 * queue holds nothing else that others could take, and when a task lets others go that are to run first. Consecutive tasks with the same
 * single successor count it down together.
 *
 * <p>A small block is run by one worker at a time: who takes it from a queue has it, with {@link #at}.
 */
final class Block extends CompiledNode {
    /** Tasks in a small block. */
    static final int SMALL = 32;

    private final boolean alone;
    private final CompiledTask[] tasks;
    private final int from;
    private final int to;
    /** Both null in a small block. */
    private final @Nullable Block left;

    private final @Nullable Block right;

    /** The next task of a small block. Whoever runs the block writes it, before the block goes to a queue or is over. */
    private int at;

    private Block(CompiledTask[] tasks, int from, int to, boolean alone) {
        this.alone = alone;
        this.tasks = tasks;
        this.from = from;
        this.to = to;
        this.at = from;
        int size = to - from;
        if (size > SMALL) {
            int half = from + (size / 2 + SMALL - 1) / SMALL * SMALL;
            this.left = new Block(tasks, from, half, alone);
            this.right = new Block(tasks, half, to, alone);
        } else {
            this.left = null;
            this.right = null;
        }
    }

    /** Stands for all of {@code tasks}, each of which waits for nothing but the block. */
    static Block of(CompiledTask[] tasks, boolean alone) {
        return new Block(tasks, 0, tasks.length, alone);
    }

    @Override
    public void run(WorkerContext context) {
        if (left != null && right != null) {
            context.readyAtEnd(right);
            context.readyAtEnd(left);
        } else {
            runTasks(context);
        }
    }

    private void runTasks(WorkerContext context) {
        CompiledNode counted = null;
        int ended = 0;
        for (int i = at; i < to; i++) {
            CompiledTask task = tasks[i];
            CompiledNode only = task.only();
            if (counted != null && only != counted && ended > 0) {
                if (counted.countDown(ended, alone)) {
                    leaveRest(i, context);
                    context.readyAtEnd(counted); // before the rest: depth first keeps few tasks ready
                    return;
                }
                ended = 0;
            }
            counted = only;
            boolean last = only == null || (!alone && !context.hasQueued());
            if (last) {
                leaveRest(i + 1, context);
            }
            if (task.perform(context)) {
                if (only == null) {
                    task.releaseAll(context, alone);
                } else {
                    ended++;
                }
            }
            if (last) {
                finish(counted, ended, context);
                return;
            }
        }
        at = from;
        finish(counted, ended, context);
    }

    /** The rest of the tasks, if there are any, is for whoever takes it. From here on this block may be another worker's. */
    private void leaveRest(int next, WorkerContext context) {
        if (next < to) {
            at = next;
            context.ready(this);
        } else {
            at = from;
        }
    }

    private void finish(@Nullable CompiledNode counted, int ended, WorkerContext context) {
        if (counted != null && ended > 0 && counted.countDown(ended, alone)) {
            context.readyAtEnd(counted);
        }
    }
}
