package dev.jacquard.core.compiled;

import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.engine.work.WorkerContext;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A node with a counter of what it waits for and the nodes that wait for it. The package documentation has the
 * protocol.
 */
abstract class CompiledNode extends Consecutive {
    private static final CompiledNode[] NOBODY = {};
    private static final VarHandle WAITING;

    static {
        try {
            WAITING = MethodHandles.lookup().findVarHandle(CompiledNode.class, "waiting", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * Predecessors left. Counted down by whoever ends one (read-modify-write; plain when alone), set back by the worker
     * that starts this node. Not changed at all when there is one predecessor.
     */
    private int waiting = 1;

    /** Predecessors, or 1 when there are none. Written by the builder only. */
    private int initial = 1;

    /**
     * Who waits for this node: the first two in fields of their own, which saves a load from far away for most nodes.
     * All are written by the builder only; the first is the node itself until then.
     */
    private CompiledNode first = this;

    private @Nullable CompiledNode second;
    private CompiledNode[] others = NOBODY;

    CompiledNode() {}

    CompiledNode(TaskBody body) {
        super(body);
    }

    /** Builder only. */
    final void waitFor(int predecessors) {
        initial = Math.max(1, predecessors);
        waiting = initial;
    }

    /** Builder only: at least one. */
    final void releases(CompiledNode[] successors) {
        first = successors[0];
        second = successors.length > 1 ? successors[1] : null;
        others = successors.length > 2 ? Arrays.copyOfRange(successors, 2, successors.length) : NOBODY;
    }

    /** Sets the counter back. The first thing that a node does when it runs. */
    final void reset() {
        if (initial != 1) {
            waiting = initial;
        }
    }

    /**
     * Counts down for {@code ended} predecessors, and tells whether they were the last.
     *
     * @param alone whether there is one worker, so that nobody else counts
     */
    final boolean countDown(int ended, boolean alone) {
        if (alone) {
            int left = waiting - ended;
            if (left != 0) {
                waiting = left;
            }
            return left == 0;
        }
        // What is left is the caller's own: nobody else will change it. Acquire: pairs with the others' getAndAdd.
        return (int) WAITING.getAcquire(this) == ended || (int) WAITING.getAndAdd(this, -ended) == ended;
    }

    /** Counts all successors down; of those that become ready the first runs next. */
    final void releaseAll(WorkerContext context, boolean alone) {
        CompiledNode two = second;
        if (two != null) {
            CompiledNode[] more = others;
            for (int i = more.length - 1; i >= 0; i--) {
                more[i].release(context, alone);
            }
            two.release(context, alone);
        }
        first.release(context, alone);
    }

    private void release(WorkerContext context, boolean alone) {
        if (countDown(1, alone)) {
            context.readyAtEnd(this);
        }
    }

    /** The only successor; null when there are several. */
    final @Nullable CompiledNode only() {
        return second == null ? first : null;
    }
}
