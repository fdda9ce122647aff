package dev.jacquard.core.graph;

import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.depend.AccessTracker;
import dev.jacquard.memory.depend.Exclusions;
import org.jspecify.annotations.Nullable;

/** The scope of a graph's own tasks, which meet the tasks of the session's other graphs in the resources' trackers. */
final class GraphScope extends Scope {
    private final TaskCounters tally;
    final LiveWaits waits;
    /**
     * The index of the worker that ran the last task as it was submitted, so that all may be over; negative if none
     * did. A hint, written and read by submitters without an order.
     */
    private int lane = Dispatcher.NOT_RUN;
    /** True if all tasks were over when the last one was about to be submitted. Guarded by the lock. */
    private boolean quiet;

    GraphScope(TaskGraph graph, DependencyDomain domain, TaskCounters tally) {
        super(graph, domain, domain.lock);
        this.tally = tally;
        this.waits = new LiveWaits(this, tally);
    }

    @Override
    @SuppressWarnings("unchecked") // trackers are set here only
    AccessTracker<Tracked> tracker(Resource resource) {
        Object known = resource.tracker();
        return known == null ? newTracker(resource) : (AccessTracker<Tracked>) known;
    }

    private AccessTracker<Tracked> newTracker(Resource resource) {
        Resource parent = resource.parent();
        AccessTracker<Tracked> tracker = parent == null ? new AccessTracker<>() : new AccessTracker<>(tracker(parent));
        resource.tracker(tracker);
        return tracker;
    }

    @Override
    public int epoch() {
        return domain.epochs.now();
    }

    @Override
    void requireOpen(TaskNode task) {
        domain.broken.requireNone();
        if (domain.isClosed() && !domain.dispatcher.isInsideNode()) {
            throw new IllegalStateException("task \"" + task.name() + "\" was submitted to graph \"" + graph.name()
                    + "\" of a closed session: submit before the session is closed");
        }
        domain.epochs.meetRun();
        int ranLast = lane;
        boolean settled = ranLast >= 0 && tally.allEnded(ranLast) && domain.epochs.settled(graph);
        // Written only when they change: workers read other fields of this cache line whenever a task ends.
        if (ranLast >= 0) {
            lane = Dispatcher.NOT_RUN;
        }
        if (quiet != settled) {
            quiet = settled;
        }
        if (!quiet) {
            domain.epochs.registerDeferred();
        }
        domain.epochs.submits(graph);
    }

    /** Tracks a task that has been running since before any live task was submitted. Under the lock. */
    void enterRunning(TaskNode task) {
        domain.epochs.submits(graph);
        register(task, true);
        task.become(TaskState.RUNNING, null);
    }

    @Override
    boolean mayBeDeferred() {
        return quiet;
    }

    @Override
    void ready(TaskNode task) {
        int worker = waits.runNow(task);
        if (worker == Dispatcher.NOT_RUN) {
            super.ready(task);
        } else if (worker >= 0) {
            lane = worker;
        }
    }

    @Override
    @Nullable
    TaskNode parent() {
        return null;
    }

    @Override
    void afterSubmission(long number) {
        waits.keepWindow(number);
    }

    @Override
    long count() {
        return tally.submit();
    }

    @Override
    long submitted() {
        return tally.submitted();
    }

    @Override
    long ended() {
        return tally.ended();
    }

    @Override
    void end(WorkerContext worker, TaskState last) {
        tally.end(worker.index(), last);
    }

    @Override
    void looksAtEnd(WorkerContext worker, int every) {
        waits.ended(worker.index(), every);
    }

    @Override
    Exclusions<TaskNode, Poison> exclusions() {
        return domain.exclusions;
    }
}
