package dev.jacquard.core.graph;

/**
 * What a worker runs: a task of a graph, or an activation of a streaming task.
 *
 * <p>A node that was made ready is run exactly once for it; the runner sees everything that happened before it was made
 * ready. It may be made ready again once it runs.
 */
public abstract class Node {
    /** For subclasses. */
    protected Node() {}

    /**
     * The work. Called by one worker; must not block. What it throws ends the session's run with that cause, so a subclass
     * that runs user code catches and keeps what the user's code throws.
     */
    public abstract void run(WorkerContext worker);
}
