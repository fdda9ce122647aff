package dev.jacquard.core.compiled;

import dev.jacquard.core.graph.WorkerContext;

/** Waits for all tasks that nobody else waits for: when it runs, a pass is over. */
final class PassEnd extends CompiledNode {
    PassEnd(Wiring wiring) {
        super(wiring);
    }

    @Override
    public void run(WorkerContext context) {
        reset();
        wiring.graph.passOver(context);
    }
}
