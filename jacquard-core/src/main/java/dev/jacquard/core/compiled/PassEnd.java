package dev.jacquard.core.compiled;

import dev.jacquard.engine.work.WorkerContext;

/** The end of a pass: a node that waits for all tasks without successors. */
final class PassEnd extends CompiledNode {
    private final RunState run;

    PassEnd(RunState run) {
        this.run = run;
    }

    @Override
    public void run(WorkerContext context) {
        reset();
        run.passOver(context);
    }
}
