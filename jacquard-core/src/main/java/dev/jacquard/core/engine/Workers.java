package dev.jacquard.core.engine;

import dev.jacquard.core.graph.Node;
import dev.jacquard.core.trace.Trace;
import java.util.function.BooleanSupplier;

/**
 * What a front asks of the engine: to run its nodes, to wait while helping, and to make the few threads that block.
 *
 * <p>Threads: every method may be called by any thread.
 */
public interface Workers {
    /** How many threads run nodes, the one that opened the session (while it waits) included. At least 1. */
    int workers();

    /** Makes {@code node} ready from wherever the caller is. Never blocks. */
    void ready(Node node);

    /**
     * Returns when {@code done} answers true. The thread that opened the session runs ready nodes meanwhile; any other
     * thread sleeps. {@code done} is asked again after each node that this thread ran and after each {@link #signal()}; it
     * must be cheap and may be called by this thread only.
     *
     * @throws IllegalStateException when called by a worker from inside a node: a node must not wait
     */
    void awaitUntil(BooleanSupplier done) throws InterruptedException;

    /** Something that an {@link #awaitUntil} may wait for has changed. Cheap when nobody waits. */
    void signal();

    /**
     * Starts a thread of its own for work that blocks.
     *
     * @param name for thread dumps and traces
     * @param body what it runs; what it throws is logged, so the body keeps its own failures
     */
    Thread dedicated(String name, Runnable body);

    /** Where spans go. */
    Trace trace();
}
