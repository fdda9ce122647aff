package dev.jacquard.core.graph;

/**
 * What a worker runs: a task of a graph, or an activation of a streaming task.
 *
 * <p>A node that was made ready is run exactly once for it; the runner sees everything that happened before it was made
 * ready. It may be made ready again once it runs.
 */
public abstract class Node {
    /** The place of nodes that any host worker may run. */
    public static final byte ANYWHERE = 0;
    /** The place of nodes that the session's main thread alone runs. */
    public static final byte MAIN = 1;

    /** Written by whoever makes the node, before it first gets ready; constant from then on. */
    private byte place;

    /** For subclasses. */
    protected Node() {}

    /**
     * The work. Called by one worker; must not block. What it throws ends the session's run with that cause, so a subclass
     * that runs user code catches and keeps what the user's code throws.
     */
    public abstract void run(WorkerContext worker);

    /** Who may run it: {@link #ANYWHERE}, {@link #MAIN}, or what {@link Dispatcher#placeOf} says of a target. */
    public final byte place() {
        return place;
    }

    /** Says who may run it. Only before the node first gets ready. */
    protected final void place(byte where) {
        place = where;
    }
}
