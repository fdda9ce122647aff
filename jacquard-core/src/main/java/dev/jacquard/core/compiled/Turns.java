package dev.jacquard.core.compiled;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Whose run of a graph is in flight, whose come next, and who waits. All but {@link #busy} is guarded by this. */
final class Turns {
    /** More runs than that waiting for their turn are a mistake. */
    private static final int MOST_QUEUED = 1 << 12;

    private final String graph;
    private final WhenBusy whenBusy;
    /** Returns true when the calling thread runs a node: then the session is not closed before that is over. */
    private final BooleanSupplier inside;

    private final Queue<Completion> queue = new ArrayDeque<>();
    private @Nullable Completion current;
    /** One that nobody uses. */
    private @Nullable Waiter spare = new Waiter(false);
    /** Of runs that nobody waited for. */
    private @Nullable RuntimeException uncollected;
    /** Written under the monitor, read without. */
    private volatile boolean busy;
    /** Set once: no worker will be left that could run what begins now. */
    private boolean closed;

    Turns(String graph, WhenBusy whenBusy, BooleanSupplier inside) {
        this.graph = graph;
        this.whenBusy = whenBusy;
        this.inside = inside;
    }

    /** Lets no run begin from outside any more, if none is in flight; returns whether none is. */
    synchronized boolean close() {
        closed |= current == null;
        return current == null;
    }

    /** Whether the run begins now; else it waits its turn. */
    synchronized boolean take(Completion whenOver) {
        if (current == null) {
            if (closed && !inside.getAsBoolean()) {
                throw new IllegalStateException(
                        "a run of compiled graph \"" + graph + "\" was started after its session was closed");
            }
            current = whenOver;
            busy = true;
            return true;
        }
        if (whenBusy == WhenBusy.REFUSE || queue.size() == MOST_QUEUED) {
            throw new IllegalStateException("compiled graph \"" + graph + "\" runs already"
                    + (queue.isEmpty()
                            ? ": wait for that run, or build the graph with WhenBusy.QUEUE"
                            : ", and " + queue.size() + " runs wait for their turn: that is the most"));
        }
        queue.add(whenOver);
        return false;
    }

    /** Ends the run in flight; the next one is the current then. */
    synchronized Completion end(@Nullable RuntimeException failure) {
        Completion whose = current;
        if (whose == null) {
            throw new IllegalStateException("no run of \"" + graph + "\" is in flight");
        }
        if (whose instanceof Waiter waiter) {
            if (waiter.unattended) {
                keep(failure);
            }
            waiter.settle(failure);
        }
        current = queue.poll();
        busy = current != null;
        return whose;
    }

    synchronized @Nullable Completion current() {
        return current;
    }

    boolean isBusy() {
        return busy;
    }

    synchronized Waiter borrow() {
        Waiter waiter = spare;
        spare = null;
        return waiter == null ? new Waiter(false) : waiter;
    }

    /** The run is over and the thread does not wait any more; returns what it is to throw. */
    synchronized @Nullable RuntimeException giveBack(Waiter waiter) {
        spare = waiter;
        return waiter.reset();
    }

    /** The thread does not wait any more, though the run may go on. */
    synchronized void leave(Waiter waiter) {
        if (waiter.getAsBoolean()) {
            keep(waiter.failure);
        }
        waiter.unattended = true;
    }

    synchronized @Nullable RuntimeException collect() {
        RuntimeException kept = uncollected;
        uncollected = null;
        return kept;
    }

    /** The first is thrown, the others are its suppressed ones. */
    private void keep(@Nullable RuntimeException failure) {
        if (uncollected == null) {
            uncollected = failure;
        } else if (failure != null && uncollected.getSuppressed().length < MOST_QUEUED) {
            uncollected.addSuppressed(failure);
        }
    }
}
