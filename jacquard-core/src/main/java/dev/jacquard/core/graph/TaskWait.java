package dev.jacquard.core.graph;

import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.Wait;
import java.util.function.BooleanSupplier;

/** The wait of a thread for a task, or for the tasks of a graph. */
final class TaskWait extends Wait {
    /** The predecessors of what the thread waits for. Confined to the waiting thread. */
    private final Predecessors needed;
    /**
     * The domain of the tasks. A field, since the waiting thread asks the domain for each node that the thread runs.
     */
    private final DependencyDomain domain;

    private TaskWait(Predecessors needed, DependencyDomain domain) {
        this.needed = needed;
        this.domain = domain;
    }

    /** Returns a wait of the calling thread for the tasks of {@code graph}. */
    static TaskWait of(TaskGraph graph) {
        return new TaskWait(new Predecessors(graph), graph.scope().domain);
    }

    /** Returns a wait of the calling thread for {@code task}. */
    static TaskWait of(TaskNode task) {
        return new TaskWait(new Predecessors(task), task.scope().domain);
    }

    /** Waits for {@code what}, until the wait ends. The tasks go on when the thread is interrupted. */
    void await(String what) {
        try {
            domain.dispatcher.await(this);
        } catch (InterruptedException e) {
            throw new WaitInterruptedException(what, e);
        }
        requireWhole(domain);
    }

    /** Waits for {@code what}, until {@code done} returns true. */
    static void until(DependencyDomain domain, BooleanSupplier done, String what) {
        try {
            domain.dispatcher.awaitUntil(() -> done.getAsBoolean() || domain.isBroken());
        } catch (InterruptedException e) {
            throw new WaitInterruptedException(what, e);
        }
        requireWhole(domain);
    }

    /** Throws if a submission broke off half way. */
    private static void requireWhole(DependencyDomain domain) {
        if (domain.isBroken()) {
            domain.breakOff("a submission");
            domain.requireWhole();
        }
    }

    @Override
    public boolean needs(Node node) {
        TaskNode task = node instanceof TaskNode its ? its : node instanceof ResumeNode waking ? waking.task() : null;
        return task == null || needed.include(task);
    }

    @Override
    protected boolean isHopeless() {
        return domain.isBroken();
    }
}
