package dev.jacquard.core.graph;

import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.engine.work.PlacedNode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A node that waits for earlier tasks, and knows its successors.
 *
 * <p>The protocol, between submitters that take turns under the lock of their scope, and any number of workers:
 *
 * <pre>
 *  submitter                                      worker that ends an earlier task E
 *    waiting = BIAS                                 E.links.getAndSet(CLOSED)
 *    per conflict: CAS a link onto E.links          per link: later.waiting -= 1
 *    waiting += edges - BIAS                        if later.waiting is 0 now: make it ready
 *    if waiting is 0 now: make the task ready
 * </pre>
 *
 * A plain task with one edge needs no bias: its counter is 1 before its only link is published, as the last step of its
 * submission.
 *
 * <p>A link is either in the list when the list is closed, and counted down, or the CAS fails, and the edge is not
 * counted. While the bias stands no worker can bring the counter to 0. The thread that brings it there later sees all
 * changes by the earlier tasks: each changed the counter by a read-modify-write after its body.
 */
abstract class LinkedNode extends PlacedNode {
    /** A count greater than any number of edges. */
    private static final int BIAS = 1 << 30;

    private static final VarHandle WAITING = Fields.handle(MethodHandles.lookup(), "waiting", int.class);
    private static final VarHandle LINKS = Fields.handle(MethodHandles.lookup(), "links", Link.class);

    /** The number of earlier tasks that are not over. Written by the submitter and by workers, see above. */
    @SuppressWarnings("unused") // through its VarHandle
    private int waiting = BIAS;

    /**
     * The later tasks' links, newest first; {@link Link#CLOSED} when the task is over. CAS and getAndSet, see above.
     */
    @SuppressWarnings("unused") // through its VarHandle
    private @Nullable Link links;

    /**
     * Until the task runs, the reason why it cannot run: written by a worker that ends an earlier task, before it
     * counts down, or by the submitter; of several reasons any may stay; read by the worker that runs the task, which
     * the countdown orders after all of these writes. From then on the outcome of the task, null when it ended well:
     * written by its worker before {@link #links} is closed, read after.
     */
    private @Nullable Outcome fate;

    /** Tasks before this one on the longest path, where tasks are numbered. Under the scope's lock, until ready. */
    private short depth;

    /** Returns true if other threads may refine or demote the task, and so hold it. */
    abstract boolean isAdjustable();

    // ---- submission, under the scope's lock

    /** Returns 0 where tasks are not numbered. */
    @Override
    public final int depth() {
        return depth;
    }

    /** Makes this task deeper than {@code earlier}. */
    final void deepen(LinkedNode earlier) {
        depth = (short) Math.max(depth, Math.min(Short.MAX_VALUE, earlier.depth + 1));
    }

    /**
     * Makes this task, which is not ready, wait for {@code earlier} too, unless that task is over. Under the scope's
     * lock, after {@link #commit}. Returns true if there is an edge now.
     */
    final boolean addEdge(TaskNode earlier) {
        WAITING.getAndAdd(this, 1); // before the link: the earlier task may be over at once
        boolean added = earlier.addLink((TaskNode) this, false, true);
        if (!added) {
            WAITING.getAndAdd(this, -1); // not the last: one edge is the submitter's
        }
        return added;
    }

    /** Makes {@code later} wait for this task, unless this one is over. Returns true if there is an edge now. */
    final boolean addLink(TaskNode later, boolean carriesFailure, boolean explicit) {
        Link link = null;
        for (Link head = (Link) LINKS.getAcquire(this); ; head = (Link) LINKS.getAcquire(this)) {
            if (head == Link.CLOSED) {
                Outcome how = carriesFailure ? fate : null;
                if (how != null) {
                    later.cancelBecause(later.scope().graph.failures().asOfNow(how));
                }
                return false;
            }
            link = link == null ? link(later, carriesFailure, explicit) : link;
            link.next = head;
            // Release of the link, against the getAndSet in closeLinks(): the worker sees the fields of the link.
            if (LINKS.compareAndSet(this, head, link)) {
                return true;
            }
        }
    }

    private static Link link(TaskNode later, boolean carriesFailure, boolean explicit) {
        long tellings = carriesFailure ? later.scope().domain.tellings.get() : 0;
        return tellings == 0 ? new Link(later, carriesFailure, explicit) : new LateLink(later, explicit, tellings);
    }

    /** Adds {@code link}, to be notified of the task's end; returns false if the task is over already. Any thread. */
    final boolean addLink(Link link) {
        for (Link head = (Link) LINKS.getAcquire(this); head != Link.CLOSED; head = (Link) LINKS.getAcquire(this)) {
            link.next = head;
            if (LINKS.compareAndSet(this, head, link)) {
                return true;
            }
        }
        return false;
    }

    /** Takes the bias away, since all edges are there. Returns true if the task is ready already. */
    final boolean commit(int edges) {
        if (edges == 0) {
            waiting = 0; // no other thread knows of this task
            return true;
        }
        return (int) WAITING.getAndAdd(this, edges - BIAS) == BIAS - edges;
    }

    /**
     * Makes this task, which has no edges, wait for {@code earlier} alone, unless that task is over. Returns false if
     * this task is ready already. If not, it may run, and be over, before this returns.
     */
    final boolean waitFor(TaskNode earlier, boolean carriesFailure, boolean explicit) {
        waiting = 1; // before the link's CAS, which publishes it
        boolean added = earlier.addLink((TaskNode) this, carriesFailure, explicit);
        if (!added) {
            waiting = 0; // no other thread knows of this task
        }
        return added;
    }

    // ---- on the way to run

    /** Notes that the task cannot run. See {@link #fate}. */
    final void cancelBecause(Outcome because) {
        fate = because;
    }

    /** Counts one edge down; returns true if that was the last. */
    final boolean countDown() {
        // A counter of 1 is this caller's own: no other thread changes it, but for hold().
        // Acquire: pairs with the others' getAndAdd.
        return ((int) WAITING.getAcquire(this) == 1 && !isAdjustable()) || (int) WAITING.getAndAdd(this, -1) == 1;
    }

    /** Returns the number of unfinished earlier tasks; a very large number before all edges are there. */
    final int waiting() {
        return (int) WAITING.getVolatile(this);
    }

    /**
     * Keeps a pending adjustable task pending until {@link TaskNode#edgeGone}. Returns false if the task is ready
     * already.
     */
    final boolean hold() {
        for (int edges = (int) WAITING.getAcquire(this); edges > 0; edges = (int) WAITING.getAcquire(this)) {
            if (WAITING.compareAndSet(this, edges, edges + 1)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Reads the newest link and the counter of its task, so that their cache lines come while the body runs: of a graph
     * with more live tasks than a core's caches hold the release would wait for one, then for the other.
     *
     * @throws IllegalStateException when the counter is below 0, which cannot be; the compiler leaves out reads on
     *     which nothing depends
     */
    final void fetchLater() {
        Link link = laterTasks();
        LinkedNode later = link == null ? null : link.later;
        if (later != null && (int) WAITING.getOpaque(later) < 0) {
            throw new IllegalStateException("a task was counted down too often");
        }
    }

    /**
     * Sets the outcome of the body, while sub-tasks go on; read after the end of the last of them. By the task's
     * worker.
     */
    final void fate(@Nullable Outcome how) {
        fate = how;
    }

    /**
     * Closes the list of links at the end of the task; returns them.
     *
     * <p>One read-modify-write: takes the links (acquire, pairs with the CAS in {@link #addLink}) and publishes the
     * outcome (release, pairs with the acquire there). As a full fence it also stands between the count of the task's
     * end and the looks at gates and waits.
     */
    final Link closeLinks() {
        return (Link) LINKS.getAndSet(this, Link.CLOSED);
    }

    // ---- for threads that look from outside, while workers go on

    /** Returns the links of the later tasks right now; null when there are none. Any thread. */
    final @Nullable Link laterTasks() {
        Link link = (Link) LINKS.getAcquire(this); // pairs with the CAS in addLink: the fields of the link are visible
        return link == Link.CLOSED ? null : link;
    }

    /** Returns the outcome of a task that is over; null when it ended well. Any thread. */
    final @Nullable Outcome fate() {
        return fate;
    }

    /** Returns true if the task is over; its outcome is then known. Any thread. */
    final boolean isOver() {
        return (Link) LINKS.getAcquire(this) == Link.CLOSED; // pairs with the getAndSet in closeLinks(): fate is seen
    }
}
