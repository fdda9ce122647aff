package dev.jacquard.core.compiled;

import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.core.kernel.KernelBody;
import dev.jacquard.engine.work.WorkerContext;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A node with a counter of its predecessors, and with its successors. The package documentation has the protocol. */
abstract class CompiledNode extends Consecutive {
    private static final CompiledNode[] NOBODY = {};
    private static final VarHandle WAITING = Fields.handle(MethodHandles.lookup(), "waiting", byte.class);

    /**
     * The predecessors that are not over. Counted down by the worker that ends a predecessor (read-modify-write; plain
     * with one worker), set back by the worker that starts this node. Never changed when there is one predecessor.
     */
    private byte waiting = 1;

    /**
     * The number of predecessors, or 1 when there are none; {@link FanIn#MOST_SHARING} at most. Written by the builder
     * only.
     */
    private byte initial = 1;

    /** True if a worker may run this node, which is a task then, after another task as a part of it. */
    private final boolean follows;

    /**
     * The first successor. The first two successors have fields of their own, which saves most nodes a load from far
     * away. All successors are written by the builder only; until then this field holds the node itself.
     */
    private CompiledNode first = this;

    private @Nullable CompiledNode second;
    private CompiledNode[] others = NOBODY;

    CompiledNode() {
        follows = false;
    }

    /** A task. */
    CompiledNode(KernelBody body, boolean follows) {
        super(body);
        this.follows = follows;
    }

    /** Returns true if a worker may run this node, which is a task then, after another task as a part of it. */
    final boolean follows() {
        return follows;
    }

    /** Sets the number of predecessors. Builder only. */
    final void waitFor(int predecessors) {
        if (predecessors > FanIn.MOST_SHARING) {
            throw new IllegalArgumentException(predecessors + " predecessors share a counter");
        }
        initial = (byte) Math.max(1, predecessors);
        waiting = initial;
    }

    /** Sets the successors, at least one. Builder only. */
    void releases(CompiledNode[] successors) {
        first = successors[0];
        second = successors.length > 1 ? successors[1] : null;
        others = successors.length > 2 ? Arrays.copyOfRange(successors, 2, successors.length) : NOBODY;
    }

    /** Sets the counter back. Each node calls this first when it runs. */
    final void reset() {
        if (initial != 1) {
            waiting = initial;
        }
    }

    /**
     * Counts down for {@code ended} predecessors; returns true if these were the last.
     *
     * @param alone true if there is one worker, so that no other thread counts
     */
    final boolean countDown(int ended, boolean alone) {
        if (alone) {
            int left = waiting - ended;
            if (left != 0) {
                waiting = (byte) left;
            }
            return left == 0;
        }
        // A rest of "ended" is the caller's own: no other thread changes it.
        // Acquire: pairs with the others' getAndAdd.
        return (byte) WAITING.getAcquire(this) == ended || (byte) WAITING.getAndAdd(this, (byte) -ended) == ended;
    }

    /** Counts all successors down. Of the successors that become ready the first runs next. */
    final void releaseAll(WorkerContext context, boolean alone) {
        CompiledNode next = countSuccessors(context, alone);
        if (next != null) {
            next.counted(context);
        }
    }

    /**
     * Counts all successors down. Returns the first one that becomes ready, to be run next, after it has made the
     * others ready; null when none becomes ready.
     */
    final @Nullable CompiledNode countSuccessors(WorkerContext context, boolean alone) {
        CompiledNode next = null;
        CompiledNode two = second;
        if (two != null) {
            CompiledNode[] more = others;
            for (int i = more.length - 1; i >= 0; i--) {
                next = count(more[i], next, context, alone);
            }
            next = count(two, next, context, alone);
        }
        return count(first, next, context, alone);
    }

    /** Returns the node to run next: {@code node} if this was its last predecessor, else {@code next}. */
    private static @Nullable CompiledNode count(
            CompiledNode node, @Nullable CompiledNode next, WorkerContext context, boolean alone) {
        if (!node.countDown(1, alone)) {
            return next;
        }
        if (next != null) {
            next.countedBeside(context);
        }
        return node;
    }

    /** Called when the last predecessor is over, and this node is to run next. */
    void counted(WorkerContext context) {
        context.readyAtEnd(this);
    }

    /** Called when the last predecessor is over, and another node is to run next. */
    void countedBeside(WorkerContext context) {
        context.readyBeside(this);
    }

    /** Returns the only successor; null when there are several. */
    final @Nullable CompiledNode only() {
        return second == null ? first : null;
    }
}
