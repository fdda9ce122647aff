package dev.jacquard.engine.work;

/**
 * Code of a task that runs on a thread, within which the thread may run nodes. For engines.
 *
 * <p>Threads: all by the thread that runs the code.
 */
public interface Pausable {
    /**
     * Nodes run on the thread, inside of a call of its code, until {@link #goOn}. An interrupt that is meant for this
     * waits until then, and what they touch is not this one's.
     *
     * @return false when it was paused before
     */
    default boolean pause() {
        return true;
    }

    /** Nothing else runs inside any more. */
    default void goOn() {}
}
