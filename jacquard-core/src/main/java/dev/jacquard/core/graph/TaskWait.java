package dev.jacquard.core.graph;

import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.Wait;
import java.util.function.BooleanSupplier;

/** The wait of a thread for a task, or for the tasks of a graph. */
final class TaskWait extends Wait {
    /** Confined to the waiting thread. */
    private final Predecessors needed;
    /** Here, since the waiting thread asks it for each node that it runs. */
    private final DependencyDomain domain;

    private TaskWait(Predecessors needed, DependencyDomain domain) {
        this.needed = needed;
        this.domain = domain;
    }

    /** The calling thread waits for tasks of {@code graph}. */
    static TaskWait of(TaskGraph graph) {
        return new TaskWait(new Predecessors(graph), graph.scope().domain);
    }

    /** The calling thread waits for {@code task}. */
    static TaskWait of(TaskNode task) {
        return new TaskWait(new Predecessors(task), task.scope().domain);
    }

    /** Waits until the wait ends, for {@code what}; the tasks go on when the thread is interrupted. */
    void await(String what) {
        try {
            domain.dispatcher.await(this);
        } catch (InterruptedException e) {
            throw new WaitInterruptedException(what, e);
        }
        requireWhole(domain);
    }

    /** Waits until {@code done} answers true, for {@code what}. */
    static void until(DependencyDomain domain, BooleanSupplier done, String what) {
        try {
            domain.dispatcher.awaitUntil(() -> done.getAsBoolean() || domain.isBroken());
        } catch (InterruptedException e) {
            throw new WaitInterruptedException(what, e);
        }
        requireWhole(domain);
    }

    /** Throws when a submission broke off half way, and tells of that. */
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
