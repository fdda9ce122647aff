package dev.jacquard.core.compiled;

import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.engine.work.Node;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a node that a collector meets first: its body, and the task that was made behind it.
 *
 * <p>A collector that copies what survives follows references depth first, in the order of the fields, a superclass
 * before its subclasses: so do the parallel collector and G1. By way of these two fields it puts all tasks of a graph
 * with their bodies side by side, in the order in which they were made, that of a sequential run. If it met the edges
 * first, it would follow them, and a task would be far from those that run before and after it.
 *
 * <p>Written by the builder only.
 */
abstract class Consecutive extends Node {
    private static final TaskBody NOTHING = context -> {};

    /** The work of a task. Nodes of other kinds do not call it. */
    final TaskBody body;

    /** Null in the last task, and in nodes of other kinds. No code reads it. */
    @SuppressWarnings("unused")
    private @Nullable Consecutive next;

    Consecutive() {
        this(NOTHING);
    }

    Consecutive(TaskBody body) {
        this.body = body;
    }

    /** Builder only: {@code later} was made behind this one. */
    final void isBefore(Consecutive later) {
        next = later;
    }
}
