package dev.jacquard.core.compiled;

import dev.jacquard.engine.work.WorkerContext;

/** A counter in front of a node with very many predecessors, so that these do not all change one counter. */
final class FanIn extends CompiledNode {
    /** The most predecessors that may share a counter without fan-ins. */
    static final int MOST_SHARING = 64;
    /** The number of predecessors that share a fan-in. */
    static final int WIDTH = 32;

    private final boolean alone;

    FanIn(boolean alone) {
        this.alone = alone;
    }

    @Override
    public void run(WorkerContext context) {
        reset();
        releaseAll(context, alone);
    }
}
