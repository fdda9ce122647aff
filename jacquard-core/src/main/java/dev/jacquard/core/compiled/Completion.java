package dev.jacquard.core.compiled;

import dev.jacquard.engine.work.WorkerContext;
import org.jspecify.annotations.Nullable;

/** The action to take when a run of a compiled graph is over. */
public interface Completion {
    /**
     * Called once per run, when the run is over, by the worker that ended the run, which sees everything that the run
     * did. Must neither block nor throw; may make nodes ready through {@code worker}. Where the engine has ended before
     * its time, by a policy that threw, say, the thread that closes the session calls, and no node becomes ready.
     *
     * @param worker the worker that calls
     * @param failure the exception that {@link CompiledGraph#run} would have thrown; null when all went well
     */
    void over(WorkerContext worker, @Nullable RuntimeException failure);

    /**
     * Returns true if the run has a place among live tasks: the run waits for earlier live tasks that conflict with the
     * graph's, and later ones wait for the run. Asked when it is the run's turn.
     */
    default boolean isOrdered() {
        return true;
    }

    /**
     * Returns true if the run is to be cancelled at once. Asked when the run begins, perhaps after a wait for its turn.
     */
    default boolean cancelled() {
        return false;
    }
}
