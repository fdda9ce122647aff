package dev.jacquard.core.engine;

import dev.jacquard.core.graph.Node;
import dev.jacquard.core.graph.NodeVisitor;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The ready nodes of a place that only certain workers serve: the main thread, or those of a target. First in, first out.
 *
 * <p>Sleep: who adds a node writes a volatile field of the queue, then reads who sleeps; who sleeps says so in a volatile
 * field, then looks into the queue. Of the two one sees the other.
 */
final class PlaceQueue {
    private final ConcurrentLinkedQueue<Node> nodes = new ConcurrentLinkedQueue<>();
    /** Those who serve it. Set once, before any thread runs. */
    private Worker[] workers = {};

    void servedBy(List<Worker> all) {
        workers = all.toArray(Worker[]::new);
    }

    /** Any thread. */
    void add(Node node) {
        nodes.add(node);
        wakeOne();
    }

    @Nullable
    Node poll() {
        Node node = nodes.poll();
        if (node != null && workers.length > 1 && !nodes.isEmpty()) {
            wakeOne(); // whoever was woken for the rest may have been this worker, which is busy now
        }
        return node;
    }

    /** Shows what is in it right now. Any thread. */
    void visit(NodeVisitor visitor, String where) {
        nodes.forEach(node -> visitor.queued(node, where));
    }

    boolean isEmpty() {
        return nodes.isEmpty();
    }

    private void wakeOne() {
        for (Worker worker : workers) {
            if (worker.wake()) {
                return;
            }
        }
    }
}
