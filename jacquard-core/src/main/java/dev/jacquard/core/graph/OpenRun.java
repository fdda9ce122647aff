package dev.jacquard.core.graph;

import java.util.List;

/**
 * Work of another kind than tasks that lives on a session's workers: a run of a flow graph. Implemented by fronts.
 *
 * <p>Threads: every method may be called by any thread.
 */
public interface OpenRun {
    /**
     * The state of the run, and what it waits for. The first line names the run; each further line begins with blanks.
     */
    List<String> describe();

    /** A number that changes whenever something moves, also outside of the session's workers. */
    long progress();

    /**
     * True if something is left to do, none of the run's bodies is at work, and the run does not wait for anything from
     * outside.
     */
    boolean isStuck();

    /**
     * The session is about to end: cancels what is left, and waits until none of the run's code is at work.
     *
     * @throws RuntimeException that says what was lost; the run has ended all the same
     */
    void end();
}
