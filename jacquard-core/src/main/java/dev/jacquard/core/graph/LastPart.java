package dev.jacquard.core.graph;

import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;

/**
 * A node that ends a task, on a worker, after its last part: a block outside of tasks that submitted its sub-tasks.
 * Constant.
 */
final class LastPart extends Node {
    private final TaskNode task;

    LastPart(TaskNode task) {
        this.task = task;
    }

    @Override
    public void run(WorkerContext worker) {
        task.ownTaskRun().joined(worker);
    }

    @Override
    public String toString() {
        return task.name();
    }
}
