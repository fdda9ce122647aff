package dev.jacquard.core.compiled;

import dev.jacquard.engine.work.WorkerContext;

/** Counts for a node that waits for very many, so that these do not all change one counter. */
final class Gate extends CompiledNode {
    /** How many nodes may share a counter without a gate. */
    static final int MOST_SHARING = 64;
    /** How many share a gate. */
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
