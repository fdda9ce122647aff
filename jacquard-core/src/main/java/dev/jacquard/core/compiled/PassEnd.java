package dev.jacquard.core.compiled;

import dev.jacquard.engine.work.WorkerContext;

/** Waits for all tasks that nobody else waits for: when it runs, a pass is over. */
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
