package dev.jacquard.core.compiled;

import dev.jacquard.engine.work.WorkerContext;
import org.jspecify.annotations.Nullable;

/** What is to happen when a run of a compiled graph is over. */
public interface Completion {
    /**
     * The run is over. Called once per run, by the worker that ended it, which sees everything that the run did; must
     * neither block nor throw, and may make nodes ready through {@code worker}.
     *
     * @param worker the worker that calls
     * @param failure what {@link CompiledGraph#run} would have thrown; null when all went well
     */
    void over(WorkerContext worker, @Nullable RuntimeException failure);

    /**
     * Asked when it is the run's turn: whether the run waits for earlier live tasks that conflict with the graph's, and
     * later ones wait for it.
     */
    default boolean isOrdered() {
        return true;
    }

    /** Asked when the run begins, perhaps after a wait for its turn: whether it is to be cancelled at once. */
    default boolean cancelled() {
        return false;
    }
}
