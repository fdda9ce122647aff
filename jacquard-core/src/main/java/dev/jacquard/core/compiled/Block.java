package dev.jacquard.core.compiled;

import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node that stands for tasks that become ready together, so that not each task goes through a queue.
 *
 * <p>A block of many tasks leaves its right half in the queue and goes on with its left, so thieves, which take the
 * oldest node, take big pieces. A small block opens its {@link Batch}. Under a policy the tasks go to the policy one by
 * one.
 */
final class Block extends CompiledNode {
    /** Tasks in a small block. */
    static final int SMALL = 32;

    /** Runs first; a batch or a block. */
    private final Node left;
    /** Goes to the queue; null in a small block. */
    private final @Nullable Node right;

    private Block(CompiledTask[] tasks, int from, int to, Sharing sharing) {
        int size = to - from;
        if (size > SMALL) {
            int half = from + (size / 2 + SMALL - 1) / SMALL * SMALL;
            this.left = new Block(tasks, from, half, sharing);
            this.right = new Block(tasks, half, to, sharing);
        } else {
            this.left = new Batch(tasks, from, to, sharing);
            this.right = null;
        }
    }

    /** Returns a block for all of {@code tasks}, each of which waits for nothing but the block. */
    static Block of(CompiledTask[] tasks, Sharing sharing) {
        return new Block(tasks, 0, tasks.length, sharing);
    }

    /** Returns all tasks. For pictures of a run. */
    List<CompiledTask> tasks() {
        return left instanceof Block half && right instanceof Block rest
                ? Stream.concat(half.tasks().stream(), rest.tasks().stream()).toList()
                : ((Batch) left).tasks();
    }

    /** Returns the batch of a small block; null for one of many tasks. For pictures of a run. */
    @Nullable
    Batch batch() {
        return left instanceof Batch its ? its : null;
    }

    @Override
    public @Nullable String graphName() {
        return left.graphName();
    }

    @Override
    public String toString() {
        return left.toString();
    }

    @Override
    public void run(WorkerContext context) {
        if (right != null) {
            context.readyAtEnd(right);
            context.readyAtEnd(left);
        } else {
            ((Batch) left).begin(context);
        }
    }
}
