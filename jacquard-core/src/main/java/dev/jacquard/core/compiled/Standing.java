package dev.jacquard.core.compiled;

import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.engine.work.ReadyTask;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;

/**
 * The standing of a task among the others, as scheduling policies and snapshots ask for it. A task that runs without a
 * policy never looks here.
 *
 * <p>Threads: constant, but for the times.
 *
 * <p>Source: the expressions thesis, section 3.1.8.
 */
final class Standing {
    /** A task of which the user has said nothing. */
    static final ReadyTask NOTHING_ASKED = new ReadyTask() {};

    /** The part by which one measurement moves the average. */
    private static final double STEP = 1.0 / 8;

    private static final VarHandle NANOS = Fields.handle(MethodHandles.lookup(), "nanos", double.class);

    /** The wishes of the user: priority, flags, worker, kernel. */
    final ReadyTask asked;
    /** The names of the flags. */
    final List<String> flags;
    /** The number of tasks on the longest path to this one. */
    final int depth;
    /** The number of tasks that wait for this one. */
    final int consumers;

    /**
     * A moving average of the task's own time; 0 before the first run that was measured. Opaque: written by the worker
     * that ran the task, read by any; an estimate.
     */
    @SuppressWarnings("unused") // through NANOS
    private double nanos;
    /**
     * The time that policies expect, in nanoseconds. Written by the worker that makes the task ready, before the task
     * enters an order or a schedule.
     */
    long expectedNanos;
    /** The number of measurements, up to 2. Written and read by the workers that run the task, one after the other. */
    private int measured;

    Standing(ReadyTask asked, List<String> flags, int depth, int consumers) {
        this.asked = asked;
        this.flags = flags;
        this.depth = depth;
        this.consumers = consumers;
    }

    /** Notes that the task ran for that long. The first time counts only until there is a second one. */
    void ran(long time) {
        double old = (double) NANOS.getOpaque(this);
        NANOS.setOpaque(this, measured < 2 ? (double) time : old + STEP * (time - old));
        measured = Math.min(measured + 1, 2);
    }

    /** Returns the time that the task takes, in nanoseconds; 0 when it is not known. */
    long nanos() {
        return Math.round((double) NANOS.getOpaque(this));
    }

    /** Returns the depths of all tasks, by number. */
    static int[] depths(Adjacency edges) {
        int[] depths = new int[edges.tasks()];
        for (int task = 0; task < depths.length; task++) { // edges lead to higher numbers
            for (int edge : edges.from(task)) {
                int later = Adjacency.later(edge);
                depths[later] = Math.max(depths[later], depths[task] + 1);
            }
        }
        return depths;
    }
}
