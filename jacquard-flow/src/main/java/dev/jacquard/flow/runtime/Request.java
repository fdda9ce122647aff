package dev.jacquard.flow.runtime;

import java.util.List;

/**
 * A queue of requests for buffers, which are granted in turn.
 *
 * <p>Threads: guarded by the {@link BufferGrants}.
 */
interface Request {
    /** Grants the requests that are in turn, as long as there are buffers for the first. */
    void look(GrantState state, WakeList wakes);

    /** Returns the number of requests that wait. */
    int size();

    /** Adds a line of text for each group of requests that wait. */
    void describe(long now, List<String> lines);

    /** Discards all requests, since the run stops. */
    void stop(GrantState state);
}
