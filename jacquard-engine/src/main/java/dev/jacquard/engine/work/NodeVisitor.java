package dev.jacquard.engine.work;

import org.jspecify.annotations.Nullable;

/**
 * Sees the activity of an engine's workers and which nodes wait for them; see {@link Dispatcher#visit}. Called by one
 * thread, while the workers go on: a node may be seen twice, or be over when it is seen.
 */
public interface NodeVisitor {
    /**
     * A worker.
     *
     * @param index which
     * @param thread the name of its thread
     * @param doing its activity, in words
     * @param node its running node; null when none
     */
    void worker(int index, String thread, String doing, @Nullable Node node);

    /** A ready node; {@code where} it waits, in words. */
    void queued(Node node, String where);

    /** That number of ready nodes are where they cannot be looked at. */
    void hidden(long nodes, String where);
}
