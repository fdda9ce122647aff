package dev.jacquard.core.compiled;

import dev.jacquard.engine.work.WorkerContext;
import org.jspecify.annotations.Nullable;

/** The completion of a run that has no place among live tasks. */
record Unordered(Completion whenOver) implements Completion {
    @Override
    public void over(WorkerContext worker, @Nullable RuntimeException failure) {
        whenOver.over(worker, failure);
    }

    @Override
    public boolean cancelled() {
        return whenOver.cancelled();
    }

    @Override
    public boolean isOrdered() {
        return false;
    }
}
