package dev.jacquard.engine.work;

import dev.jacquard.base.machine.Place;
import org.jspecify.annotations.Nullable;

/**
 * A piece of work for a worker: a task of a graph, or an activation of a streaming task.
 *
 * <p>A node that was made ready is run exactly once for it; the runner sees everything that happened before it was made
 * ready. It may be made ready again once it runs.
 *
 * <p>Small, since compiled graphs have one for each task: fields that only some nodes need are in {@link PlacedNode}.
 */
public abstract class Node extends GuardedTask {
    /** True if no worker of the host may run the node. Written with the place: see {@link PlacedNode}. */
    private boolean elsewhere;

    /** For subclasses. */
    protected Node() {}

    /**
     * The work. Called by one worker; must not block. An exception ends the session's run with that cause, so a
     * subclass that runs user code catches and keeps the exceptions of that code.
     */
    public abstract void run(WorkerContext worker);

    /**
     * Returns the node that stands for the part of this one with which its worker {@linkplain WorkerContext#goesOn went
     * on}. Any thread, and {@code step} may be of a node before: one that is no part's is answered with this node.
     */
    public Node part(int step) {
        return this;
    }

    /**
     * For pictures of a run: the graph of the task that this node stands for; null when it stands for none, and when
     * the node is a task of a live graph itself.
     */
    public @Nullable String graphName() {
        return null;
    }

    /**
     * Other nodes run on the thread, inside of a call that the body of this one made, until {@link #goOn}: the thread's
     * actions until then are not the body's. By the worker that runs the node, once.
     */
    public void pause() {}

    /** Nothing else runs inside of the body any more. By the worker that runs the node. */
    public void goOn() {}

    /** Returns where the node runs: the host, unless it is a {@link PlacedNode} that was sent elsewhere. */
    public Place place() {
        return Place.HOST;
    }

    /** Returns true if any worker of the host may run the node. */
    public final boolean isForHost() {
        return !elsewhere;
    }

    /** Notes that the node has a place other than the host, or has none any more. */
    final void sent(boolean isElsewhere) {
        elsewhere = isElsewhere;
    }

    /**
     * For engines: sets {@link #expectedNanos()} from now on. Before the node enters an order. Nodes that take no time
     * to speak of ignore it.
     */
    public void expect(long nanos) {}

    /**
     * Returns the time that this node itself takes, in nanoseconds, where it runs again and again and was given; 0 when
     * that is not known.
     */
    public long ownNanos() {
        return 0;
    }

    /** For engines: the node ran for that long. Called only where a policy asks for times. */
    public void ran(long nanos) {}
}
