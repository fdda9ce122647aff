package dev.jacquard.core.graph;

import dev.jacquard.engine.work.Wait;
import dev.jacquard.engine.work.WorkerContext;

/** Ends a wait when it is known how a task ends. */
final class WaitLink extends Link {
    private final Wait wait;

    WaitLink(Wait wait) {
        super(null, false, true);
        this.wait = wait;
    }

    @Override
    void decided() {
        wait.end();
    }

    @Override
    void over(WorkerContext worker) {
        wait.end();
    }
}
