package dev.jacquard.core.graph;

import java.util.List;

/**
 * Work other than tasks that uses a session's workers, such as a run of a flow graph. Implemented by fronts.
 *
 * <p>Threads: every method may be called by any thread.
 */
public interface OpenRun {
    /**
     * Returns the state of the run, and what the run waits for. The first line names the run; each further line begins
     * with blanks.
     */
    List<String> describe();

    /** Returns a number that changes whenever the run makes progress, also outside of the session's workers. */
    long progress();

    /** Returns true if work is left, no body of the run is at work, and the run waits for nothing from outside. */
    boolean isStuck();

    /**
     * Ends the run with its session: cancels the rest, and waits until no code of the run is at work.
     *
     * @throws RuntimeException which says what was lost; the run has ended all the same
     */
    void end();
}
