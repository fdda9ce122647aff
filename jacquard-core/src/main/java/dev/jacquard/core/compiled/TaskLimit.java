package dev.jacquard.core.compiled;

import dev.jacquard.engine.work.WorkerContext;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * The number of tasks of a compiled graph that may run at a time, and of the workers that may help in their loops.
 * Tasks that are ready and may not begin yet wait here, in the order of their numbers.
 *
 * <p>A task that ends lets one that waits try again. So while tasks wait, as many as may run do run, or are on their
 * way to a worker.
 *
 * <p>Threads: any; all fields are guarded by the monitor.
 */
final class TaskLimit {
    /** Stands for no limit. */
    private static final Threads NONE = new Threads(Integer.MAX_VALUE, Integer.MAX_VALUE, false);

    private final int workers;
    /** As the user said last; the next run begins with it. */
    private Threads wanted = NONE;
    /** As the run in flight has it. */
    private Threads now = NONE;

    private int running;
    private final PriorityQueue<CompiledTask> waiting =
            new PriorityQueue<>(Comparator.comparingInt(task -> task.traits().index()));

    private record Threads(int tasks, int operators, boolean measured) {}

    TaskLimit(int workers) {
        this.workers = workers;
    }

    /** Sets the limits from the next run on. */
    synchronized void threads(int tasks, int operators) {
        if (tasks < 1 || operators < 1) {
            throw new IllegalArgumentException(
                    "a graph needs a thread for tasks and one for their loops, not " + tasks + " and " + operators);
        }
        wanted = new Threads(tasks, operators, wanted.measured);
    }

    /** Says if tasks are measured from the next run on. */
    synchronized void measure(boolean on) {
        wanted = new Threads(wanted.tasks, wanted.operators, on);
    }

    /** Takes over what the user asked for. Returns true if tasks have to ask. Before the first task of a run. */
    synchronized boolean beginRun() {
        now = wanted;
        return now.tasks < workers || now.operators < workers || now.measured;
    }

    /** Returns true if the run in flight measures its tasks. */
    synchronized boolean isMeasured() {
        return now.measured;
    }

    /** Returns true if {@code task} may run now; else it becomes ready again later. */
    synchronized boolean begin(CompiledTask task) {
        if (running < now.tasks) {
            running++;
            return true;
        }
        waiting.add(task);
        return false;
    }

    /** Notes that a task for which {@link #begin} was true does not run any more. */
    void end(WorkerContext context) {
        CompiledTask next;
        synchronized (this) {
            running--;
            next = waiting.poll();
        }
        if (next != null) {
            context.ready(next);
        }
    }

    /**
     * Returns the number of workers that may help a running task: what other tasks leave of the threads. Where few
     * tasks run, since others wait for them, they get more.
     */
    synchronized int helpers() {
        long threads = (long) Math.min(now.tasks, workers) * Math.min(now.operators, workers);
        return (int) Math.max(Math.min(now.operators, workers), threads / Math.max(1, running)) - 1;
    }
}
