package dev.jacquard.core.graph;

import dev.jacquard.base.concurrent.SpinLock;
import dev.jacquard.core.execution.KnownGraphs;
import org.jspecify.annotations.Nullable;

/**
 * Decides when everything that the trackers know is over, so that they can forget it. Then a new epoch begins, the next
 * task need not be registered with the trackers before another one follows, and the run of a compiled graph needs no
 * task that stands for it.
 *
 * <p>Threads: guarded by the domain's lock, where nothing else is said.
 */
final class Epochs {
    /** The largest number of graphs that is looked at after each wait. */
    private static final int FEW_GRAPHS = 64;

    private final SpinLock lock;
    private final BrokenSubmission broken;
    /** True if an observer wants a task for each run of a compiled graph. */
    private final boolean observed;

    private final KnownGraphs<TaskGraph> graphs;
    /** True if the past of graphs is kept. */
    private final boolean keepsGraphs;

    /** The number of the epoch. */
    private int epoch;
    /** The graph of the last submission since all graphs were over; null for none. */
    private @Nullable TaskGraph busy;
    /** True if tasks were submitted to several graphs since then. */
    private boolean several;
    /**
     * A task whose registration with the trackers is deferred, since nothing else was live when it was submitted. The
     * task is registered only if something is submitted, or the task gives up rights, before it is over.
     */
    private @Nullable TaskNode deferred;
    /** The run of a compiled graph that has run alone so far, so that no task stands for it; null for none. */
    private @Nullable RunOrder alone;
    /** True once a task has not ended well: its data may be poisoned. Written by any thread. Never unset. */
    private volatile boolean troubled;

    Epochs(
            SpinLock lock,
            BrokenSubmission broken,
            boolean observed,
            KnownGraphs<TaskGraph> graphs,
            boolean keepsGraphs) {
        this.lock = lock;
        this.broken = broken;
        this.observed = observed;
        this.graphs = graphs;
        this.keepsGraphs = keepsGraphs;
    }

    /** Returns the number of the epoch, for trackers. */
    int now() {
        return epoch;
    }

    /** Notes that a task has not ended well. Any thread, before that task counts as ended. */
    void troubled() {
        troubled = true;
    }

    /** Notes a submission to {@code graph}. */
    void submits(TaskGraph graph) {
        if (busy != graph) {
            several |= busy != null && !busy.isOver(); // graphs that are used one after the other are as good as one
            busy = graph;
        }
    }

    /**
     * Begins a new epoch if {@code graph} is the only graph with submissions. The tasks of {@code graph} are all over.
     *
     * @return true if nothing is live, and no task that is over matters
     */
    boolean settled(TaskGraph graph) {
        boolean quiet = busy == graph && !several && !troubled && !keepsGraphs;
        if (quiet) {
            epoch++;
            deferred = null;
        }
        return quiet;
    }

    /**
     * Begins a new epoch if all graphs are over and no task has ever failed: the trackers' entries do not matter any
     * more, and the next submissions need not look at tasks that are over. Called without the lock when a graph is
     * over.
     */
    void settle() {
        if (troubled || keepsGraphs) {
            return;
        }
        lock.lock();
        try {
            if (allOver()) {
                epoch++;
                deferred = null;
                busy = null;
                several = false;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns true if all graphs are over and no task failed. */
    private boolean allOver() {
        return graphs.areAll(TaskGraph::isOver, FEW_GRAPHS) && !troubled; // written before such a task counts as ended
    }

    /** Returns true if no task and no run of a compiled graph is live, and no task failed: trackers know nothing. */
    boolean isQuiet() {
        return alone == null && allOver();
    }

    // ---- runs of compiled graphs

    /** Lets a run start without a task if nothing else is live; returns true if it may. */
    boolean beginsAlone(RunOrder run) {
        boolean first = alone == null && !observed && allOver();
        if (first) {
            alone = run;
        }
        return first;
    }

    /** Notes that {@code run} is over. */
    void runOver(RunOrder run) {
        if (alone == run) {
            alone = null;
        }
    }

    /** Makes a task for the run that is alone so far, since something is about to be submitted. */
    void meetRun() {
        RunOrder run = alone;
        if (run != null) {
            alone = null;
            run.standIn();
        }
    }

    // ---- the deferred registration

    /** Defers the registration of {@code task} with the trackers. */
    void defer(TaskNode task) {
        deferred = task;
    }

    /** Registers the deferred task with the trackers, unless it is over. */
    void registerDeferred() {
        TaskNode task = deferred;
        if (task == null) {
            return;
        }
        deferred = null;
        try {
            while (!task.scope().meetTrackers(task) && !task.isOver()) {
                Thread.onSpinWait(); // its worker is between two statements of its end
            }
        } catch (Throwable e) { // the accesses are built-in ones: memory or the stack is full
            broken.by = e;
            throw e;
        }
    }

    /**
     * Registers {@code task} with the trackers if that is deferred. By its worker, while it has its accesses; without
     * the lock.
     */
    void registerIfDeferred(TaskNode task) {
        lock.lock();
        try {
            if (deferred == task) {
                registerDeferred();
            }
        } finally {
            lock.unlock();
        }
    }
}
