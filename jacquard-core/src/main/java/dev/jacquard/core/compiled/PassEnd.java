package dev.jacquard.core.compiled;

import dev.jacquard.engine.work.WorkerContext;

/** Waits for all tasks that nobody else waits for: when it runs, a pass is over. */
final class PassEnd extends CompiledNode {
    private final CompiledGraph graph;

    PassEnd(CompiledGraph graph) {
        this.graph = graph;
    }

    @Override
    public void run(WorkerContext context) {
        reset();
        graph.passOver(context);
    }
}
