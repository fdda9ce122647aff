package dev.jacquard.core.compiled;

import dev.jacquard.base.failure.Suppressed;
import dev.jacquard.core.execution.KnownGraphs;
import dev.jacquard.engine.work.WaitFlag;
import dev.jacquard.engine.work.WorkerContext;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a graph that take turns: the run in flight, and the runs that wait for their turn. All but {@link #idle}
 * is guarded by this.
 *
 * <p>A run that has its turn may have to wait for its place among live tasks, and so for a live task that is itself a
 * run of the same graph and waits for its turn. So a run that has its place goes before a run that has none:
 *
 * <pre>
 *  has its turn, waits for its place --a {@link NestedRun} comes--> displaced --that one ends--> has its turn again
 *        | its place comes                                             | its place comes
 *        v                                                             v
 *       starts                                        starts when it has its turn again
 * </pre>
 *
 * A run that has both a turn and a place waits for nothing, so some run always goes on.
 */
final class RunQueue {
    /** The most runs from outside that may wait for their turn; more are taken for a mistake. */
    private static final int MOST_QUEUED = 1 << 12;

    private final CompiledGraph graph;
    private final CompiledGraph.OverlapRule whenBusy;
    /** The graphs of the session, which keep this graph while it has a failure to report; null without a session. */
    private final @Nullable KnownGraphs<CompiledGraph> known;
    /** Returns true when the calling thread runs a node. The session is then not closed before the node is over. */
    private final BooleanSupplier inside;

    private final Queue<Completion> queue = new ArrayDeque<>();
    private @Nullable Completion current;
    /**
     * True if the run that has the turn has given back its place among live tasks, so that its successors may start
     * another run. Written by the worker that ends the run, before it gives the place back under a lock, which orders
     * the write before such a start; unset under the monitor.
     */
    private boolean ending;
    /** True if the run that has the turn may have to wait for its place among live tasks, or does. */
    private boolean placeless;
    /** The displaced run, which lost its turn to a run that had a place; null for none. */
    private @Nullable Completion displaced;
    /** True if the place of the displaced run has come. */
    private boolean displacedIsPlaced;
    /** True if the displaced run was cancelled. */
    private boolean displacedIsCancelled;

    /** A waiter that no thread uses; null when there is none. */
    private @Nullable Waiter spare = new Waiter(false);
    /** The failures of runs for which no thread waited. */
    private @Nullable RuntimeException uncollected;
    /** Up while no run is in flight. Written under the monitor, read without it. */
    private final WaitFlag idle = new WaitFlag(true);
    /** True once the graph is closed: no worker would be left for a run that begins later. Set once. */
    private boolean closed;

    RunQueue(CompiledGraph graph, CompiledGraphBuilder builder, BooleanSupplier inside) {
        this.graph = graph;
        this.whenBusy = builder.whenBusy();
        this.known = builder.known();
        this.inside = inside;
    }

    /**
     * Closes the queue, so that no run begins from outside any more, unless a run is in flight. Returns true if no run
     * is in flight.
     */
    synchronized boolean close() {
        closed |= current == null;
        return current == null;
    }

    /** Takes the turn, or queues the run. Returns true if it is now the run's turn. */
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
        boolean refuses = whenBusy == CompiledGraph.OverlapRule.REFUSE && !(ending && queue.isEmpty());
        if (refuses || (queue.size() >= MOST_QUEUED && !(whenOver instanceof NestedRun))) {
            throw new IllegalStateException("compiled graph \"" + graph.name() + "\" runs already"
                    + (queue.isEmpty()
                            ? ": wait for that run, or build the graph with CompiledGraph.OverlapRule.QUEUE"
                            : ", and " + queue.size() + " runs wait for their turn: that is the most"));
        }
        queue.add(whenOver);
        return false;
    }

    /** Notes that the run that has the turn gives back its place, and its turn right after that. */
    void ends() {
        ending = true;
    }

    private void turnOf(@Nullable Completion next) {
        current = next;
        ending = false;
        placeless = next != null && !(next instanceof NestedRun);
        idle.set(next == null);
    }

    private void displace(Completion by) {
        displaced = current;
        displacedIsPlaced = false;
        displacedIsCancelled = false;
        turnOf(by);
    }

    /** Notes that the run that waits for a place has it, or needs none. Returns true if it is that run's turn. */
    synchronized boolean placed() {
        if (displaced != null) {
            displacedIsPlaced = true;
            return false;
        }
        placeless = false;
        return true;
    }

    /**
     * Yields the turn of a run that waits for its place to the first queued run that needs no place. Returns that run;
     * null when there is none.
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

    /** Returns true if the run that has the turn need not wait for a place, or no longer waits for one. */
    synchronized boolean isPlaced() {
        return !placeless;
    }

    /** Notes that the displaced run is to be cancelled if it is {@code whom}'s; null stands for any run. */
    synchronized void cancelDisplaced(@Nullable Completion whom) {
        displacedIsCancelled |= displaced != null && (whom == null || whom == displaced);
    }

    /**
     * Returns true if the run that has the turn was cancelled while it was displaced. Called right after {@link #end}.
     */
    synchronized boolean isCancelled() {
        return displacedIsCancelled;
    }

    /** Removes the displaced run, which then never starts. Returns that run; null when there is none. */
    synchronized @Nullable Completion dropDisplaced(@Nullable RuntimeException failure) {
        Completion whose = displaced;
        displaced = null;
        if (whose != null) {
            settle(whose, failure);
        }
        return whose;
    }

    /** Ends the run in flight and returns it; the next run is then the current one. */
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

    /**
     * Ends all runs, since no worker is left that would go on with them, and passes {@code why} to their completions.
     * Runs that are parts of other runs are excepted: they end with these. Begins no run any more.
     *
     * @throws IllegalStateException when a completion throws, after the others were notified
     */
    void abandon(WorkerContext worker, RuntimeException why) {
        IllegalStateException first = null;
        for (Completion whose : endAll(why)) { // without the monitor: this is users' code
            if (!(whose instanceof NestedRun)) {
                try {
                    whose.over(worker, why);
                } catch (RuntimeException | Error e) {
                    first = first == null
                            ? new IllegalStateException(
                                    "the completion of a run of compiled graph \"" + graph.name()
                                            + "\" threw, which it must not",
                                    e)
                            : first;
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** Returns all runs, that in flight first; none is left. */
    private synchronized List<Completion> endAll(RuntimeException why) {
        List<Completion> all = new ArrayList<>(queue);
        if (displaced != null) {
            all.addFirst(displaced);
        }
        if (current != null) {
            all.addFirst(current);
        }
        all.forEach(each -> settle(each, why));
        displaced = null;
        queue.clear();
        closed = true;
        turnOf(null);
        return all;
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

    /** Returns the flag that is up while no run is in flight. */
    WaitFlag idle() {
        return idle;
    }

    synchronized Waiter borrow() {
        Waiter waiter = spare;
        spare = null;
        return waiter == null ? new Waiter(false) : waiter;
    }

    /**
     * Takes a waiter back from a thread when its run is over. Returns the exception for that thread to throw, or null.
     */
    synchronized @Nullable RuntimeException giveBack(Waiter waiter) {
        spare = waiter;
        return waiter.reset();
    }

    /** Notes that the thread of {@code waiter} does not wait any more, though the run may go on. */
    synchronized void leave(Waiter waiter) {
        if (waiter.isUp()) {
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

    /**
     * Keeps a failure for a thread that joins, or for the session's end. The first failure is thrown, with the others
     * suppressed.
     */
    private void keep(@Nullable RuntimeException failure) {
        if (failure == null) {
            return;
        }
        if (uncollected == null) {
            uncollected = failure;
        } else if (uncollected.getSuppressed().length < MOST_QUEUED) {
            Suppressed.add(uncollected, failure);
        }
        if (known != null) {
            known.remember(graph);
        }
    }
}
