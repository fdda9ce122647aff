package dev.jacquard.core.graph;

import dev.jacquard.core.data.Resource;
import dev.jacquard.core.depend.AccessTracker;
import dev.jacquard.core.depend.Exclusions;
import org.jspecify.annotations.Nullable;

/** A graph's own tasks: they meet those of the session's other graphs in the resources' trackers. */
final class GraphScope extends Scope {
    private final Tally tally;
    /** Whether nobody runs tasks but the thread that opened the session: then tasks that ran as they were submitted leave none. */
    private final boolean alone;

    /** A task has run as it was submitted, so that all may be over. A hint, written and read by submitters without an order. */
    private boolean settled;
    /** Whether all was over when the last task was about to be submitted. Guarded by the lock. */
    private boolean quiet;

    GraphScope(TaskGraph graph, Domain domain, Tally tally) {
        super(graph, domain, domain.lock);
        this.tally = tally;
        this.alone = domain.dispatcher.workers() == 1;
    }

    @Override
    @SuppressWarnings("unchecked") // the only one who sets a tracker is this method
    AccessTracker<Task> tracker(Resource resource) {
        Object known = resource.tracker();
        return known == null ? newTracker(resource) : (AccessTracker<Task>) known;
    }

    private AccessTracker<Task> newTracker(Resource resource) {
        Resource parent = resource.parent();
        AccessTracker<Task> tracker = parent == null ? new AccessTracker<>() : new AccessTracker<>(tracker(parent));
        resource.tracker(tracker);
        return tracker;
    }

    @Override
    public int epoch() {
        return domain.epoch();
    }

    @Override
    void requireOpen(Task task) {
        if (domain.isClosed() && !domain.dispatcher.isInsideNode()) {
            throw new IllegalStateException(
                    "task \"" + task.name() + "\" was submitted to graph \"" + graph.name() + "\" of a closed session");
        }
        quiet = settled && tally.allEnded() && domain.settled(graph);
        settled = false;
        if (!quiet) {
            domain.meetLatent();
        }
        domain.submits(graph);
    }

    @Override
    boolean mayStayLatent() {
        return quiet;
    }

    @Override
    void ready(Task task) {
        if (!graph.runNow(task)) {
            super.ready(task);
        } else if (alone) {
            settled = true;
        }
    }

    @Override
    @Nullable
    Task parent() {
        return null;
    }

    @Override
    void afterSubmission() {
        graph.keepWindow();
    }

    @Override
    void count() {
        tally.submit();
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
    Exclusions<Task, Outcome> exclusions() {
        return domain.exclusions;
    }
}
