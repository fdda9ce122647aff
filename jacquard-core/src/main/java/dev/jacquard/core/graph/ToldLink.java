package dev.jacquard.core.graph;

import dev.jacquard.engine.work.WorkerContext;

/** Runs something short when a task is over, on the worker that ended the task. */
final class ToldLink extends Link {
    private final Runnable then;

    ToldLink(Runnable then) {
        super(null, false, true);
        this.then = then;
    }

    @Override
    void over(WorkerContext worker) {
        then.run();
    }
}
