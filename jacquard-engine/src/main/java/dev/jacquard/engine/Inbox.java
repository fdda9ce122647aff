package dev.jacquard.engine;

import dev.jacquard.engine.work.Node;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that threads without a worker made ready, first in, first out. Every worker of the host takes from it.
 *
 * <p>Threads: any.
 */
final class Inbox {
    private final News news;
    private final ConcurrentLinkedQueue<Node> nodes = new ConcurrentLinkedQueue<>();

    Inbox(News news) {
        this.news = news;
    }

    /** Adds {@code node}. A volatile write, which stands before the look at the workers that sleep. Any thread. */
    void add(Node node) {
        nodes.add(node);
        news.added();
    }

    /** Takes the oldest node; null when there is none. Any worker. */
    @Nullable
    Node poll() {
        Node node = nodes.poll();
        news.taken();
        return node;
    }

    /** Returns true when there is no node right now. */
    boolean isEmpty() {
        return nodes.isEmpty();
    }

    /** Shows the nodes to {@code sink}, oldest first. Any thread. */
    void each(Consumer<Node> sink) {
        nodes.forEach(sink);
    }
}
