package dev.jacquard.core.graph;

import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;

/** Ends a task, on a worker, whose last part was a block outside of tasks that submitted sub-tasks to it. */
final class LastPart extends Node {
    private final TaskNode task;

    LastPart(TaskNode task) {
        this.task = task;
    }

    @Override
    public void run(WorkerContext worker) {
        SlowPath.refinementOver(task, worker);
    }

    @Override
    public String toString() {
        return task.name();
    }
}
