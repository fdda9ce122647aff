package dev.jacquard.core.graph;

import dev.jacquard.core.trace.Trace;
import java.util.function.BooleanSupplier;

/**
 * Where a graph's ready nodes go, and how to wait for them. Implemented by the engine, which graphs do not know.
 *
 * <p>Threads: every method may be called by any thread.
 */
public interface Dispatcher {
    /** How many threads run nodes, the one that opened the session (while it waits) included. At least 1. */
    int workers();

    /** Makes {@code node} ready from wherever the caller is. Never blocks. */
    void ready(Node node);

    /**
     * Returns when {@code done} answers true. The thread that opened the session runs ready nodes meanwhile; any other
     * thread sleeps. {@code done} is asked again after each node that this thread ran, after each {@link #signal()}, and when
     * a worker has run out of work; it must be cheap and is called by this thread only.
     *
     * @throws IllegalStateException when called from inside a node: a node must not wait; or when the engine itself failed
     */
    void awaitUntil(BooleanSupplier done) throws InterruptedException;

    /** Whether the calling thread runs a node right now. */
    boolean isInsideNode();

    /** Runs users' code that must not hold up a worker, on a thread of its own. */
    void background(Runnable code);

    /** Something that an {@link #awaitUntil} may wait for has changed. Cheap when nobody waits. */
    void signal();

    /** Where spans go. */
    Trace trace();
}
