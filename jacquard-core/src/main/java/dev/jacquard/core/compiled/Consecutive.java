package dev.jacquard.core.compiled;

import dev.jacquard.core.kernel.KernelBody;
import dev.jacquard.engine.work.Node;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a node that a garbage collector meets first: the body, and the task that was made next.
 *
 * <p>A collector that copies live objects follows references depth first, in the order of the fields, a superclass
 * before its subclasses: so do the parallel collector and G1. By way of these two fields the collector puts all tasks
 * of a graph with their bodies side by side, in the order in which the tasks were made, which is that of a sequential
 * run. If the collector met the edges first, it would follow them, and a task would lie far from the tasks that run
 * before and after it.
 *
 * <p>Written by the builder only, but for bodies that bind.
 */
abstract class Consecutive extends Node {
    private static final KernelBody NOTHING = context -> {};

    /**
     * The body of a task. Nodes of other kinds do not call it. Written by the builder; of a task that binds, also by
     * the node that begins a run, and by the worker that runs the task: the runs of a graph, and a run's beginning and
     * its tasks, come one after the other.
     */
    KernelBody body;

    /** The task that was made next; null in the last task, and in nodes of other kinds. No code reads this field. */
    @SuppressWarnings("unused")
    private @Nullable Consecutive next;

    Consecutive() {
        this(NOTHING);
    }

    Consecutive(KernelBody body) {
        this.body = body;
    }

    /** Notes that {@code later} was made next. Builder only. */
    final void isBefore(Consecutive later) {
        next = later;
    }
}
