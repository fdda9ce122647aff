package dev.jacquard.core.engine;

import dev.jacquard.core.graph.Node;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that threads without a worker made ready, first in, first out. Every worker of the host takes from it.
 *
 * <p>A worker asks before each node whether there is one, so the answer is a flag on a cache line of its own, which
 * changes only when the queue becomes empty or is empty no more. The flag may be up while the queue is empty. It is
 * never down for good while a node is queued: a thread that adds a node does so before it reads the flag, and a worker
 * that lowers the flag looks into the queue afterwards; both with volatile accesses, so one of them sees the other.
 */
final class Inbox extends InboxNews {
    private static final VarHandle NEWS;

    static {
        try {
            NEWS = MethodHandles.lookup().findVarHandle(InboxNews.class, "news", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ConcurrentLinkedQueue<Node> nodes = new ConcurrentLinkedQueue<>();

    /** Adds {@code node}. A volatile write, which stands before the look at the workers that sleep. Any thread. */
    void add(Node node) {
        nodes.add(node);
        if (!(boolean) NEWS.getVolatile(this)) {
            NEWS.setVolatile(this, true);
        }
    }

    /** Takes the oldest node; null when there is none. Any worker. */
    @Nullable
    Node poll() {
        Node node = nodes.poll();
        if (nodes.isEmpty()) {
            NEWS.setVolatile(this, false);
            if (!nodes.isEmpty()) {
                NEWS.setVolatile(this, true);
            }
        }
        return node;
    }

    /** Returns true when there may be a node. Opaque, and so late by what a cache line needs to travel. */
    boolean hasNews() {
        return (boolean) NEWS.getOpaque(this);
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

/** The flag, with a line of distance to what lies before. */
@SuppressWarnings("unused")
abstract class InboxGap {
    private long p1;
    private long p2;
    private long p3;
    private long p4;
    private long p5;
    private long p6;
    private long p7;
}

/** The flag, with a line of distance to what lies behind. */
@SuppressWarnings("unused")
abstract class InboxNews extends InboxGap {
    /**
     * Raised by threads that add a node, lowered by the worker that finds the queue empty. Volatile accesses, but for
     * hints.
     */
    boolean news;

    private long q1;
    private long q2;
    private long q3;
    private long q4;
    private long q5;
    private long q6;
    private long q7;
}
