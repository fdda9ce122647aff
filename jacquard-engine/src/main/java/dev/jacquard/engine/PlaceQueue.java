package dev.jacquard.engine;

import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.NodeVisitor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The ready nodes of a place that only certain workers serve: the main thread, or the workers of a target. First in,
 * first out.
 *
 * <p>Sleep: who adds a node counts it, which is a full fence, and then reads who sleeps; who sleeps says so in a
 * volatile field, then reads the count. Of the two one sees the other.
 */
final class PlaceQueue {
    private static final VarHandle QUEUED = Fields.handle(MethodHandles.lookup(), "queued", int.class);

    private final ConcurrentLinkedQueue<Node> nodes = new ConcurrentLinkedQueue<>();
    /**
     * Nodes in the queue, counted after they went in and after they came out; one field, since it is read at every
     * step.
     */
    private volatile int queued;
    /** The workers that serve it. Set once, before any thread runs. */
    private WorkerState[] workers = {};
    /** Notified of nodes that are added or taken; null when workers of the host do not serve this. Set once, too. */
    private @Nullable News news;

    void tells(News its) {
        news = its;
    }

    void servedBy(List<? extends WorkerState> all) {
        workers = all.toArray(WorkerState[]::new);
    }

    /** Any thread. */
    void add(Node node) {
        nodes.add(node);
        QUEUED.getAndAdd(this, 1);
        if (news != null) {
            news.added();
        }
        wakeOne();
    }

    @Nullable
    Node poll() {
        Node node = nodes.poll();
        if (node != null) {
            QUEUED.getAndAdd(this, -1);
            if (news != null) {
                news.taken();
            }
            if (workers.length > 1 && !isEmpty()) {
                wakeOne(); // the worker that was woken for the rest may have been this one, which is busy now
            }
        }
        return node;
    }

    /** Shows the nodes in it right now. Any thread. */
    void visit(NodeVisitor visitor, String where) {
        nodes.forEach(node -> visitor.queued(node, where));
    }

    boolean isEmpty() {
        return queued <= 0; // negative while a node is taken that is not counted yet
    }

    private void wakeOne() {
        for (WorkerState worker : workers) {
            if (worker.wake()) {
                return;
            }
        }
    }
}
