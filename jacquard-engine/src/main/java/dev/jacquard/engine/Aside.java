package dev.jacquard.engine;

import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.Wait;
import java.util.Iterator;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ready nodes that a thread which waits came across and did not run, since they have nothing to do with its wait. The
 * other workers of the host run them; where there are none, the thread itself does when it has nothing else.
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

    /** Adds {@code node}: a volatile write. */
    void add(Node node) {
        nodes.addLast(node);
    }

    @Nullable
    Node poll() {
        return nodes.pollLast();
    }

    /** Takes one that {@code wait} needs; null when it finds none. */
    @Nullable
    Node pollFor(Wait wait) {
        Iterator<Node> newestFirst = nodes.descendingIterator();
        for (int i = 0; i < MOST_LOOKED_AT && newestFirst.hasNext(); i++) {
            Node node = newestFirst.next();
            if (wait.needs(node) && nodes.removeLastOccurrence(node)) {
                return node;
            }
        }
        return null;
    }

    boolean isEmpty() {
        return nodes.isEmpty();
    }

    /** Shows the nodes to {@code sink}. Any thread. */
    void each(Consumer<Node> sink) {
        nodes.forEach(sink);
    }
}
