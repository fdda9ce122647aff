package dev.jacquard.core.compiled;

import dev.jacquard.core.execution.KnownGraphs;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whose run of a graph is in flight, whose come next, and who waits. All but {@link #busy} is guarded by this.
 *
 * <p>A run that has its turn may have to wait for its place among live tasks, and so for one of them that is a run of
 * the same graph, and waits for its turn. So a run that has its place goes before one that has not:
 *
 * <pre>
 *  has its turn, waits for its place --a {@link NestedRun} comes--> displaced --that one ends--> has its turn again
 *        | its place comes                                             | its place comes
 *        v                                                             v
 *       starts                                        starts when it has its turn again
 * </pre>
 *
 * Who has both a turn and a place waits for nothing, so that some run always goes on.
 */
final class RunQueue {
    /** More runs than that waiting for their turn are a mistake. */
    private static final int MOST_QUEUED = 1 << 12;

    private final CompiledGraph graph;
    private final OverlapRule whenBusy;
    /** The graphs of the session, which keep this one while it has a failure to report; null when it has no session. */
    private final @Nullable KnownGraphs<CompiledGraph> known;
    /** Returns true when the calling thread runs a node: then the session is not closed before that is over. */
    private final BooleanSupplier inside;

    private final Queue<Completion> queue = new ArrayDeque<>();
    private @Nullable Completion current;
    /** True if the run whose turn it is may have to wait for its place among live tasks, or does. */
    private boolean placeless;
    /** Has lost its turn to a run that had its place; null for none. */
    private @Nullable Completion displaced;
    /** True if the place of the displaced run has come. */
    private boolean displacedIsPlaced;
    /** True if the displaced run was cancelled. */
    private boolean displacedIsCancelled;

    /** One that nobody uses. */
    private @Nullable Waiter spare = new Waiter(false);
    /** Of runs that nobody waited for. */
    private @Nullable RuntimeException uncollected;
    /** Written under the monitor, read without. */
    private volatile boolean busy;
    /** Set once: no worker will be left that could run what begins now. */
    private boolean closed;

    RunQueue(CompiledGraph graph, CompiledGraphBuilder builder, BooleanSupplier inside) {
        this.graph = graph;
        this.whenBusy = builder.whenBusy();
        this.known = builder.known();
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
                        "a run of compiled graph \"" + graph.name() + "\" was started after its session was closed");
            }
            turnOf(whenOver);
            return true;
        }
        if (placeless && whenOver instanceof NestedRun) {
            displace(whenOver);
            return true;
        }
        if (whenBusy == OverlapRule.REFUSE || queue.size() == MOST_QUEUED) {
            throw new IllegalStateException("compiled graph \"" + graph.name() + "\" runs already"
                    + (queue.isEmpty()
                            ? ": wait for that run, or build the graph with OverlapRule.QUEUE"
                            : ", and " + queue.size() + " runs wait for their turn: that is the most"));
        }
        queue.add(whenOver);
        return false;
    }

    private void turnOf(@Nullable Completion next) {
        current = next;
        placeless = next != null && !(next instanceof NestedRun);
        busy = next != null;
    }

    private void displace(Completion by) {
        displaced = current;
        displacedIsPlaced = false;
        displacedIsCancelled = false;
        turnOf(by);
    }

    /** The place of the run that waits for one has come, or it needs none; returns whether it is its turn. */
    synchronized boolean placed() {
        if (displaced != null) {
            displacedIsPlaced = true;
            return false;
        }
        placeless = false;
        return true;
    }

    /**
     * The run whose turn it is waits for its place; returns the first that waits for its turn alone, and has it now.
     */
    synchronized @Nullable Completion yieldTurn() {
        if (!placeless) {
            return null;
        }
        for (Completion one : queue) {
            if (one instanceof NestedRun) {
                queue.remove(one);
                displace(one);
                return one;
            }
        }
        return null;
    }

    synchronized boolean hasDisplaced() {
        return displaced != null;
    }

    /** True if the run whose turn it is needs not wait for its place, or not any more. */
    synchronized boolean isPlaced() {
        return !placeless;
    }

    /** Notes that the displaced run is to be cancelled when it is for {@code whom} (null: for anybody). */
    synchronized void cancelDisplaced(@Nullable Completion whom) {
        displacedIsCancelled |= displaced != null && (whom == null || whom == displaced);
    }

    /** True if the run whose turn it is was cancelled while it was displaced. Right behind {@link #end}. */
    synchronized boolean isCancelled() {
        return displacedIsCancelled;
    }

    /** The displaced run, which is none any more, never starts; null when none is displaced. */
    synchronized @Nullable Completion dropDisplaced(@Nullable RuntimeException failure) {
        Completion whose = displaced;
        displaced = null;
        if (whose != null) {
            settle(whose, failure);
        }
        return whose;
    }

    /** Ends the run in flight; the next one is the current then. */
    synchronized Completion end(@Nullable RuntimeException failure) {
        Completion whose = current;
        if (whose == null) {
            throw new IllegalStateException("no run of \"" + graph.name() + "\" is in flight");
        }
        settle(whose, failure);
        Completion back = displaced;
        displacedIsCancelled &= back != null;
        if (back == null) {
            turnOf(queue.poll());
        } else {
            displaced = null;
            turnOf(back);
            placeless = !displacedIsPlaced;
        }
        return whose;
    }

    private void settle(Completion whose, @Nullable RuntimeException failure) {
        if (whose instanceof Waiter waiter) {
            if (waiter.unattended) {
                keep(failure);
            }
            waiter.settle(failure);
        }
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
        if (kept != null && known != null) {
            known.forget(graph);
        }
        return kept;
    }

    /** For a thread that joins, or the session's end: the first is thrown, the others are its suppressed ones. */
    private void keep(@Nullable RuntimeException failure) {
        if (failure == null) {
            return;
        }
        if (uncollected == null) {
            uncollected = failure;
        } else if (uncollected.getSuppressed().length < MOST_QUEUED) {
            uncollected.addSuppressed(failure);
        }
        if (known != null) {
            known.remember(graph);
        }
    }
}
