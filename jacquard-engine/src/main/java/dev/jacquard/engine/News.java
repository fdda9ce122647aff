package dev.jacquard.engine;

import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.NodeVisitor;
import dev.jacquard.engine.work.Wait;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The news that a worker of the host looks at before it runs the node that the last one made ready: nodes that are in
 * no worker's deque, namely nodes that threads without a worker made ready, nodes that waiting threads have left to
 * others, and nodes of the main thread, where it is a worker of the host; and the end of the engine.
 *
 * <p>A worker asks before each node, so the answer is a flag on a separate cache line, which changes only when there is
 * something again, or nothing any more. The flag may be up while there is nothing. It is never down for good while
 * there is something: a thread that adds it does so before it reads the flag, and a worker that lowers the flag looks
 * at the queues afterwards; both with volatile accesses, so one of them sees the other.
 */
final class News extends NewsFlag {
    /** The nodes that threads without a worker made ready, first in, first out. Any thread adds, any worker takes. */
    private final ConcurrentLinkedQueue<Node> inbox = new ConcurrentLinkedQueue<>();

    final Aside aside = new Aside();
    /** The queue of the main thread where that is a worker of the host; else null. Set before any thread runs. */
    private @Nullable PlaceQueue main;
    /** The engine is closed or broken. Set once, before the flag is raised for good. */
    private volatile boolean ended;

    /** News of an engine that has none, for workers that are not of its host: the flag stays up. */
    static News alwaysUp() {
        News its = new News();
        its.end();
        return its;
    }

    /** A worker of the host serves {@code queue} too. Before any thread runs. */
    void covers(PlaceQueue queue) {
        main = queue;
        queue.tells(this);
    }

    /** The engine is closed or broken: each worker is to look at that before its next node. */
    void end() {
        ended = true;
        up = true;
    }

    /** Returns true when there may be something. */
    boolean any() {
        return up;
    }

    /** Adds {@code node} to the inbox. A volatile write, which stands before the look at the workers that sleep. */
    void add(Node node) {
        inbox.add(node);
        added();
    }

    /** Takes the oldest node from the inbox; null when there is none. */
    @Nullable
    Node poll() {
        Node node = inbox.poll();
        taken();
        return node;
    }

    /** Returns true when the inbox has a node right now. */
    boolean hasInbox() {
        return !inbox.isEmpty();
    }

    /** Puts {@code node} aside. A volatile write, which stands before the look at the workers that sleep. */
    void setAside(Node node) {
        aside.add(node);
        added();
    }

    /** Takes the node that was put aside last; null when there is none. */
    @Nullable
    Node pollAside() {
        Node node = aside.poll();
        taken();
        return node;
    }

    /** Takes a node that was put aside and that {@code wait} needs; null when none is found. */
    @Nullable
    Node pollAsideFor(Wait wait) {
        Node node = aside.pollFor(wait);
        if (node != null) {
            taken();
        }
        return node;
    }

    /** Shows the nodes. Any thread. */
    void visit(NodeVisitor visitor) {
        inbox.forEach(node -> visitor.queued(node, "is in the inbox"));
        aside.each(node ->
                visitor.queued(node, "was put aside by a thread that waits, and runs the tasks that it waits for"));
    }

    /** A node was added. */
    void added() {
        if (!up) {
            up = true;
        }
    }

    /** A node was taken, or there was none. */
    void taken() {
        if (isEmpty()) {
            up = false;
            if (!isEmpty()) {
                up = true;
            }
        }
    }

    private boolean isEmpty() {
        return !ended && inbox.isEmpty() && aside.isEmpty() && (main == null || main.isEmpty());
    }
}

/** The flag, with a line of distance to the preceding fields. */
@SuppressWarnings("unused")
abstract class NewsGap {
    private long p1;
    private long p2;
    private long p3;
    private long p4;
    private long p5;
    private long p6;
    private long p7;
}

/** The flag, with a line of distance to the following fields. */
@SuppressWarnings("unused")
abstract class NewsFlag extends NewsGap {
    /** Raised by threads that add a node, lowered by the worker that finds the queues empty. */
    volatile boolean up;

    private long q1;
    private long q2;
    private long q3;
    private long q4;
    private long q5;
    private long q6;
    private long q7;
}
