package dev.jacquard.core.engine;

import dev.jacquard.core.graph.Node;
import dev.jacquard.core.graph.Wait;
import java.util.Iterator;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ready nodes that a thread which waits came across and did not run, since they have nothing to do with what it waits
 * for. The other workers of the host run them; where there are none, the thread itself does when it has nothing else.
 *
 * <p>The node that was put aside last is the first to be taken: nodes come from the newer end of a deque, so it is the
 * oldest of them.
 *
 * <p>Threads: any worker of the host.
 */
final class Aside {
    /** The most nodes among which a thread that waits looks for one that it may run. */
    private static final int MOST_LOOKED_AT = 64;

    private final ConcurrentLinkedDeque<Node> nodes = new ConcurrentLinkedDeque<>();
    /**
     * Nodes are there, or were a moment ago. Written behind each change, by the worker that made it; read before each
     * node.
     */
    private volatile boolean news;

    void add(Node node) {
        nodes.addLast(node);
        news = true;
    }

    /** Returns true when there may be one; false only when a worker has found none since the last was added. */
    boolean hasNews() {
        return news;
    }

    @Nullable
    Node poll() {
        Node node = nodes.pollLast();
        settle();
        return node;
    }

    /** Takes one that {@code wait} needs; null when it finds none. */
    @Nullable
    Node pollFor(Wait wait) {
        Iterator<Node> newestFirst = nodes.descendingIterator();
        for (int i = 0; i < MOST_LOOKED_AT && newestFirst.hasNext(); i++) {
            Node node = newestFirst.next();
            if (wait.needs(node) && nodes.removeLastOccurrence(node)) {
                settle();
                return node;
            }
        }
        return null;
    }

    private void settle() {
        if (nodes.isEmpty()) {
            news = false;
            if (!nodes.isEmpty()) { // a volatile write before a volatile read, as in add() the other way round
                news = true;
            }
        }
    }

    boolean isEmpty() {
        return nodes.isEmpty();
    }

    /** Shows the nodes to {@code sink}. Any thread. */
    void each(Consumer<Node> sink) {
        nodes.forEach(sink);
    }
}
