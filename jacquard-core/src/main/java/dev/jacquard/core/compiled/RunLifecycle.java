package dev.jacquard.core.compiled;

import dev.jacquard.core.graph.RunOrder;
import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.access.AccessList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The beginning and the end of the runs of one graph. A run starts when it has its turn among the runs of the graph
 * ({@link RunQueue}) and its place among live tasks ({@link RunOrder}); one that needs no place starts when it has its
 * turn.
 *
 * <pre>
 *  step                                                                   lock held
 *
 *  start, by any thread
 *    takes the turn, or displaces a run that waits for its place, whose     the turns
 *      flags are cleared and kept beside it; or queues the run
 *    asks if the run was cancelled before it had the turn                   none
 *    asks for a place, unless the run needs none                            the domain's, in RunOrder
 *      it is there: starts the run if that has the turn, or notes it        the turns
 *      else: yields the turn to the first in the queue that needs none      the turns
 *  the place comes, by a worker
 *    starts the run if that has the turn, or notes it                       the turns
 *  end, by the worker that ended the run, or heard that it never starts
 *    counts the run; gives the place back                                   the state's; the domain's
 *    ends the turn, clears the flags, settles a thread that waits;          the turns
 *      the displaced run has the turn and its flags again: it starts if
 *      its place was noted, or yields the turn; else the first in the
 *      queue has the turn
 *    tells the completion; goes on as a start behind its first step         none
 *  cancel, by any thread
 *    notes it for the displaced run; flags the run that has the turn, and   the turns, those of inner graphs inside
 *      cancels the runs inside of it
 * </pre>
 *
 * <p>The monitor of the turns decides between what comes at the same time. The place of a displaced run comes while the
 * run before it ends: either it is noted first, and the end starts the run, or the turn is back first, and the place
 * does. A cancel meets a run that has the turn or is displaced, and stays with it; a completion says that it is
 * cancelled and then looks for its run, and the run takes the turn and then asks its completion, so one of the two sees
 * the other. A run is started while the last one ends: it takes the turn, or the end finds it in the queue.
 *
 * <p>Threads: any. Tasks do not come here: they read the flags of the {@link RunState}, and the end of a pass calls
 * {@link #over}.
 */
final class RunLifecycle {
    private final CompiledGraph graph;
    private final RunState run;
    private final Dispatcher dispatcher;
    private final RunQueue turns;

    /** The place of runs among live tasks; null when the graph has no session. */
    private final @Nullable RunOrder order;
    /**
     * True if the run in flight has such a place. Written before the run starts, by the thread that starts it: it has
     * the turn and needs not wait for a place, so no other thread writes. Read by the worker that ends the run.
     */
    private boolean inOrder;

    private final BooleanSupplier idle;

    RunLifecycle(CompiledGraph graph, RunState run, CompiledGraphBuilder builder, AccessList accesses) {
        this.graph = graph;
        this.run = run;
        this.dispatcher = builder.dispatcher();
        this.turns = new RunQueue(graph, builder, dispatcher::isInsideNode);
        this.order = builder.domain() == null
                ? null
                : new RunOrder(builder.domain(), builder.name(), accesses, new OrderedRuns());
        this.idle = () -> !turns.isBusy();
    }

    // ---- threads that wait

    /** Runs the graph and waits; as {@link CompiledGraph#run} says. */
    void run(boolean ordered) {
        if (ordered && order != null) {
            order.requireMayWait();
        }
        await(() -> true); // at once; refused inside of a task, before anything is started
        Waiter waiter = turns.borrow().ordered(ordered);
        start(waiter);
        boolean waited = false;
        try {
            await(waiter);
            waited = true;
        } finally {
            if (!waited) {
                turns.leave(waiter);
            }
        }
        tell(turns.giveBack(waiter));
    }

    private void await(BooleanSupplier done) {
        try {
            dispatcher.awaitUntil(done);
        } catch (InterruptedException e) {
            throw new WaitInterruptedException("compiled graph \"" + graph.name() + '"', e);
        }
    }

    /** Waits until no run is in flight, and throws what is to be told of runs that no thread waited for. */
    void join() {
        await(idle);
        tell(turns.collect());
    }

    private static void tell(@Nullable RuntimeException failure) {
        if (failure != null) {
            throw failure;
        }
    }

    boolean isRunning() {
        return turns.isBusy();
    }

    /** Lets no run begin from outside any more, unless one is in flight; returns true if none is. */
    boolean close() {
        return turns.close();
    }

    // ---- a run begins

    /** Starts a run from anywhere, when it has its turn and its place. */
    void start(Completion whenOver) {
        if (takeTurn(whenOver) && mayStartOrRefuse(whenOver)) {
            dispatcher.ready(run.beginning());
        }
    }

    /** Starts a run from inside a node. */
    void start(WorkerContext worker, Completion whenOver) {
        if (takeTurn(whenOver) && mayStartOrRefuse(whenOver)) {
            worker.readyAtEnd(run.beginning());
        }
    }

    /** Returns true if it is the run's turn; one that has lost its turn to it keeps its flags for later. */
    private boolean takeTurn(Completion whenOver) {
        synchronized (turns) {
            boolean mine = turns.take(whenOver);
            if (mine) {
                leaveFlags();
            }
            return mine;
        }
    }

    /** Clears the flags of the run that was just displaced, and keeps whether it was cancelled. Under the monitor. */
    private void leaveFlags() {
        if (turns.hasDisplaced()) {
            if (run.isCancelled()) {
                turns.cancelDisplaced(null);
            }
            run.reset(false);
        }
    }

    /**
     * Gives the turn back when the run cannot start, because an access of the user's or the completion throws, or the
     * session is closed. The caller hears of it; a worker starts the run behind it, since only a worker can tell that
     * one of its end.
     */
    private boolean mayStartOrRefuse(Completion whenOver) {
        try {
            return mayStart(whenOver);
        } catch (RuntimeException | Error e) {
            if (turns.dropDisplaced(null) != null) { // another one has its turn meanwhile
                dispatcher.signal();
                throw e;
            }
            inOrder = false;
            Completion next;
            synchronized (turns) {
                endTurn(null);
                next = turns.current();
            }
            if (next != null) {
                dispatcher.ready(new Succession(next));
            }
            dispatcher.signal(); // who waits until no run is in flight
            throw e;
        }
    }

    /** Starts the run whose turn it is. */
    private final class Succession extends Node {
        private final Completion next;

        Succession(Completion next) {
            this.next = next;
        }

        @Override
        public void run(WorkerContext worker) {
            startNext(worker, next);
        }

        @Override
        public String name() {
            return graph.name();
        }
    }

    /**
     * Returns true if a run starts now: the one whose turn it is, or the one that gets its turn because it waits for
     * its place. A run that waits is started by its order.
     */
    private boolean mayStart(Completion whenOver) {
        if (whenOver.cancelled()) { // a thread that cancels it says so and then looks for the run: one sees the other
            cancel(whenOver);
        }
        if (whenOver instanceof NestedRun) {
            inOrder = false;
            return true;
        }
        RunOrder place = whenOver.isOrdered() ? order : null;
        return (place == null || place.begin()) ? startsInPlace(place != null) : yieldsTurn();
    }

    /** The run has its place, or needs none; returns true if it is its turn. Else it starts when it is again. */
    private boolean startsInPlace(boolean ordered) {
        boolean starts = turns.placed();
        if (starts) { // no other run can have the turn from here on
            inOrder = ordered;
        }
        return starts;
    }

    /** The run whose turn it is waits for its place; returns true if another one starts meanwhile. */
    private boolean yieldsTurn() {
        Completion other;
        synchronized (turns) {
            other = turns.yieldTurn();
            if (other != null) {
                leaveFlags();
            }
        }
        return other != null && mayStart(other);
    }

    /** Starts the runs that had to wait for live tasks. */
    private final class OrderedRuns implements RunOrder.Runs {
        @Override
        public void start() {
            if (startsInPlace(true)) {
                dispatcher.ready(run.beginning());
            }
        }

        @Override
        public void neverStarts(WorkerContext worker, RuntimeException why) {
            if (!endsDisplaced(worker, why)) {
                inOrder = false;
                over(worker, why);
            }
        }
    }

    // ---- a run is cancelled

    /** Cancels the run in flight, when it is for {@code whom} (null: for any). */
    void cancel(@Nullable Completion whom) {
        synchronized (turns) { // without which the run cannot end: else the next run, or its inner ones, might be met
            Completion current = turns.current();
            turns.cancelDisplaced(whom);
            if (current != null && (whom == null || whom == current)) {
                run.cancel();
            }
        }
    }

    // ---- a run ends

    /** A run is over, or never started: the next begins. */
    void over(WorkerContext worker, @Nullable RuntimeException failure) {
        startNext(worker, tellEnd(worker, failure));
    }

    /** Ends the run in flight and returns the next, if any, whose turn it is then, and which is to be started. */
    private @Nullable Completion tellEnd(WorkerContext worker, @Nullable RuntimeException failure) {
        run.end();
        if (order != null && inOrder) {
            order.over(worker, failure);
        }
        inOrder = false;
        Completion whose;
        Completion next;
        boolean starts = false;
        synchronized (turns) { // at once: when there is no next one, any thread may begin a run from here on
            boolean back = turns.hasDisplaced();
            whose = endTurn(failure);
            next = turns.current();
            if (back && next != null) {
                starts = turns.isPlaced();
                inOrder = starts && order != null && next.isOrdered();
                next = starts ? null : turns.yieldTurn();
                if (next != null) {
                    leaveFlags();
                }
            }
        }
        tell(whose, worker, failure);
        dispatcher.signal();
        if (starts) {
            worker.readyAtEnd(run.beginning());
        }
        return next;
    }

    /** The run in flight is none any more, and leaves no flag to the next. Under the monitor, as {@link #cancel} is. */
    private Completion endTurn(@Nullable RuntimeException failure) {
        Completion whose = turns.end(failure);
        run.reset(turns.isCancelled());
        return whose;
    }

    /** Tells of the end of a run; waiting threads were told with the end of its turn. */
    private void tell(Completion whose, WorkerContext worker, @Nullable RuntimeException failure) {
        try {
            whose.over(worker, failure);
        } catch (RuntimeException | Error e) { // ends the engine
            throw new IllegalStateException(
                    "the completion of a run of compiled graph \"" + graph.name() + "\" threw, which it must not", e);
        }
    }

    /** Tells the displaced run, if there is one, that it never starts; returns true if there was one. */
    private boolean endsDisplaced(WorkerContext worker, RuntimeException why) {
        Completion whose = turns.dropDisplaced(why);
        if (whose == null) {
            return false;
        }
        tell(whose, worker, why);
        dispatcher.signal();
        return true;
    }

    /**
     * Starts {@code next}. When it cannot start, it ends at once, and the one behind it is next: in a loop, since very
     * many may end so.
     */
    private void startNext(WorkerContext worker, @Nullable Completion next) {
        Completion its = next;
        while (its != null) {
            RuntimeException why;
            try {
                if (mayStart(its)) {
                    worker.readyAtEnd(run.beginning());
                }
                return;
            } catch (RuntimeException e) { // thrown by an access of the user's; no one else can be told
                why = e;
            } catch (Error e) { // the stack is full, say
                why = new IllegalStateException(
                        "a run of compiled graph \"" + graph.name() + "\" could not start: " + e, e);
            }
            if (endsDisplaced(worker, why)) {
                return;
            }
            inOrder = false; // nothing of it is in order
            its = tellEnd(worker, why);
        }
    }
}
