package dev.jacquard.core.compiled;

import dev.jacquard.engine.work.WorkerContext;

/** A counter in front of a node with very many predecessors, so that these do not all change one counter. */
final class Gate extends CompiledNode {
    /** The most predecessors that may share a counter without gates. */
    static final int MOST_SHARING = 64;
    /** The number of predecessors that share a gate. */
    static final int WIDTH = 32;

    private final boolean alone;

    Gate(boolean alone) {
        this.alone = alone;
    }

    @Override
    public void run(WorkerContext context) {
        reset();
        releaseAll(context, alone);
    }
}
