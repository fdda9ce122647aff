package dev.jacquard.core.graph;

import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.Wait;

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
