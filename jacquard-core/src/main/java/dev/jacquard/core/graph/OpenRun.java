package dev.jacquard.core.graph;

import java.util.List;

/**
 * Work of another kind than tasks that lives on a session's workers: a run of a flow graph. Implemented by fronts.
 *
 * <p>Threads: every method may be called by any thread.
 */
public interface OpenRun {
    /** How the run stands, and what it waits for: the first line names it, each further one begins with blanks. */
    List<String> describe();

    /** A number that is another whenever something has moved, also outside of the session's workers. */
    long progress();

    /**
     * True if something is left to do, and the run itself does nothing of it: neither in a body, nor waiting for what
     * comes from outside.
     */
    boolean isStuck();

    /**
     * The session is about to end: cancels what is left, and waits until none of the run's code is at work.
     *
     * @throws RuntimeException that says what was lost; the run has ended all the same
     */
    void end();
}
