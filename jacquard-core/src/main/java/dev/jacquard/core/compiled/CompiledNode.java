package dev.jacquard.core.compiled;

import dev.jacquard.core.graph.Node;
import dev.jacquard.core.graph.WorkerContext;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A node with a counter of what it waits for and the nodes that wait for it. The package documentation has the protocol.
 *
 * <p>Nodes know each other by number only: see {@link Wiring}.
 */
abstract class CompiledNode extends Node {
    /** What {@link #only} gives where several wait, or nobody. */
    static final int SEVERAL = -1;

    private static final VarHandle WAITING;

    static {
        try {
            WAITING = MethodHandles.lookup().findVarHandle(CompiledNode.class, "waiting", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The graph's, where those who wait for this node stand from {@link #from} to {@link #to}. */
    final Wiring wiring;

    /**
     * Predecessors left. Counted down by whoever ends one (read-modify-write; plain when alone), set back by the worker that
     * starts this node. Not changed at all when there is one predecessor.
     */
    private int waiting = 1;

    /** Predecessors, or 1 when there are none. Written by the builder only. */
    private int initial = 1;

    /** Written by the builder only, as {@link #to}. */
    private int from;

    private int to;

    CompiledNode(Wiring wiring) {
        this.wiring = wiring;
    }

    /** Builder only. */
    final void waitFor(int predecessors) {
        initial = Math.max(1, predecessors);
        waiting = initial;
    }

    /** Builder only: who waits stands there in the wiring. */
    final void releases(int first, int end) {
        from = first;
        to = end;
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
    final void releaseAll(WorkerContext context) {
        boolean alone = wiring.alone;
        for (int i = to - 1; i >= from; i--) {
            CompiledNode next = wiring.target(i);
            if (next.countDown(1, alone)) {
                context.readyAtEnd(next);
            }
        }
    }

    /** The number of the only successor; {@link #SEVERAL} when there are several. */
    final int only() {
        return to - from == 1 ? wiring.number(from) : SEVERAL;
    }
}
