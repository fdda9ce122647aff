package dev.jacquard.core.compiled;

import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import java.util.BitSet;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * The number of tasks of a compiled graph that may run at a time, and of the workers that may help in their loops.
 * Tasks that are ready and may not begin yet wait here, in the order of their numbers.
 *
 * <p>Bottlenecks are tasks that all others wait for sooner or later, and that take most of the time: while one runs,
 * its loops have all threads but one for each other task that runs.
 *
 * <p>A task that ends lets one that waits try again. So while tasks wait, as many as may run do run, or are on their
 * way to a worker.
 *
 * <p>Threads: any; all fields are guarded by the monitor.
 */
final class TaskLimit {
    /** Stands for no limit. */
    private static final Threads NONE = new Threads(Integer.MAX_VALUE, Integer.MAX_VALUE, new BitSet(), false);

    private final int workers;
    /** As the user said last; the next run begins with it. */
    private Threads wanted = NONE;
    /** As the run in flight has it. */
    private Threads now = NONE;

    private boolean measuresAlways;
    private int running;
    /** The bottlenecks that run, by number. */
    private final BitSet runningBottlenecks = new BitSet();
    /** Tasks, and turns of tasks. */
    private final PriorityQueue<Node> waiting = new PriorityQueue<>(Comparator.comparingLong(Node::id));

    /** @param bottlenecks by the numbers of tasks; never changed */
    private record Threads(int tasks, int operators, BitSet bottlenecks, boolean measured) {}

    TaskLimit(int workers) {
        this.workers = workers;
    }

    /**
     * Sets the limits from the next run on.
     *
     * @param bottlenecks the numbers of tasks
     */
    synchronized void threads(int tasks, int operators, BitSet bottlenecks) {
        if (tasks < 1 || operators < 1) {
            throw new IllegalArgumentException(
                    "a graph needs a thread for tasks and one for their loops, not " + tasks + " and " + operators);
        }
        wanted = new Threads(tasks, operators, bottlenecks, wanted.measured);
    }

    /** Says if tasks are measured from the next run on. */
    synchronized void measure(boolean on) {
        wanted = new Threads(wanted.tasks, wanted.operators, wanted.bottlenecks, on);
    }

    /** Measures tasks in all runs, whatever else is said. */
    synchronized void measureAlways() {
        measuresAlways = true;
    }

    /** Takes over the limits that the user set. Returns true if tasks have to ask. Before the first task of a run. */
    synchronized boolean beginRun() {
        now = wanted;
        return now.tasks < workers || now.operators < workers || isMeasured();
    }

    /** Returns true if the run in flight measures its tasks. */
    synchronized boolean isMeasured() {
        return now.measured || measuresAlways;
    }

    /** Returns true if {@code task}, or the task of a turn, may run now; else the node becomes ready again later. */
    synchronized boolean begin(Node task) {
        if (running < now.tasks) {
            running++;
            return true;
        }
        waiting.add(task);
        return false;
    }

    /** Returns the numbers of the tasks that are ready and may not begin yet. */
    synchronized long[] heldBack() {
        return waiting.stream().mapToLong(Node::id).toArray();
    }

    /** Notes which task it is that may run. */
    synchronized void runs(int task) {
        if (now.bottlenecks.get(task)) {
            runningBottlenecks.set(task);
        }
    }

    /** Notes that a task for which {@link #begin} was true does not run any more. */
    void end(int task, WorkerContext context) {
        Node next;
        synchronized (this) {
            running--;
            runningBottlenecks.clear(task);
            next = waiting.poll();
        }
        if (next != null) {
            context.ready(next);
        }
    }

    /**
     * Returns the number of workers that may help a running task: the threads that other tasks leave. Where few tasks
     * run, since others wait for them, they get more; bottlenecks get the threads that concurrent tasks do not get.
     */
    synchronized int helpers(int task) {
        int operators = Math.min(now.operators, workers);
        long threads = (long) Math.min(now.tasks, workers) * operators;
        int bottlenecks = runningBottlenecks.cardinality();
        if (bottlenecks == 0) {
            return (int) Math.max(operators, threads / Math.max(1, running)) - 1;
        }
        if (!now.bottlenecks.get(task)) {
            return 0;
        }
        long left = (threads - (running - bottlenecks)) / bottlenecks;
        return (int) Math.max(operators, left) - 1;
    }
}
