package dev.jacquard.core.graph;

import dev.jacquard.engine.work.WorkerContext;

/** A link that runs a short action when it is known how a task ends, and when the task is over; on any thread. */
final class ToldLink extends Link {
    private final Runnable then;

    ToldLink(Runnable then) {
        super(null, false, true);
        this.then = then;
    }

    @Override
    void decided() {
        then.run();
    }

    @Override
    void over(WorkerContext worker) {
        then.run();
    }
}
