package dev.jacquard.core.graph;

import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;

/** A node that goes on with a task whose asynchronous part is over. */
final class ResumeNode extends Node {
    private final TaskNode task;
    private final AsyncCompletion ended;

    ResumeNode(TaskNode task, AsyncCompletion ended) {
        this.task = task;
        this.ended = ended;
        StagedData data = task.data();
        if (data != null && data.ahead() != null) {
            place(task.place()); // the next kernel begins there, and need not wait until another thread is woken
        }
    }

    TaskNode task() {
        return task;
    }

    @Override
    public void run(WorkerContext worker) {
        ended.over(worker);
    }

    @Override
    public String toString() {
        return task.name();
    }
}
