package dev.jacquard.core.graph;

import org.jspecify.annotations.Nullable;

/**
 * Code of a task that runs on a thread, within which the thread may run nodes. For engines.
 *
 * <p>Threads: both by the thread that runs the code.
 */
public interface Pausable {
    /**
     * Pauses the function of a task that the calling thread runs, whichever session the task is of, if it is not paused
     * yet. The thread runs nodes inside of it from here on, until {@link #goOn}.
     *
     * @return the function; null when there is none to pause
     */
    static @Nullable Pausable pauseFunction() {
        return DrivenFunction.pauseCurrent();
    }

    /**
     * Nodes run on the thread, inside of a call of its code, until {@link #goOn}. An interrupt that is meant for this
     * waits until then, and what they touch is not this one's.
     */
    default void pause() {}

    /** Nothing else runs inside any more. */
    default void goOn() {}
}
