package dev.jacquard.core.compiled;

import dev.jacquard.core.graph.RunOrder;
import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WaitFlag;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.access.AccessList;
import org.jspecify.annotations.Nullable;

/**
 * The beginning and the end of the runs of one graph. A run starts when it has its turn among the runs of the graph
 * ({@link RunQueue}) and its place among live tasks ({@link RunOrder}). A run that needs no place starts when it has
 * its turn.
 *
 * <pre>
 *  step                                                                   lock held
 *
 *  start, by any thread
 *    takes the turn, or displaces a run that waits for its place: its       the turns
 *      flags are cleared and kept with it; or queues the run
 *    asks if the run was cancelled before it had the turn                   none
 *    asks for a place, unless the run needs none                            the domain's, in RunOrder
 *      it is there: starts the run if that has the turn, or notes it        the turns
 *      else: yields the turn to the first in the queue that needs none      the turns
 *  the place comes, by a worker
 *    starts the run if that has the turn, or notes it                       the turns
 *  end, by the worker that ended the run, or finds that it never starts
 *    counts the run; gives the place back                                   the state's; the domain's
 *    ends the turn, clears the flags, settles a thread that waits;          the turns
 *      the displaced run has the turn and its flags again: it starts if
 *      its place was noted, or yields the turn; else the first in the
 *      queue has the turn
 *    notifies the completion; goes on as a start after its first step       none
 *  cancel, by any thread
 *    notes it for the displaced run; flags the run that has the turn, and   the turns, those of inner graphs inside
 *      cancels the runs inside of it
 * </pre>
 *
 * <p>The monitor of the turns decides between events that come at the same time. When the place of a displaced run
 * comes while the run before it ends, either the place is noted first, and the end starts the run, or the turn is back
 * first, and the coming of the place starts the run. A cancel meets a run that has the turn or is displaced, and stays
 * with that run. A completion says that it is cancelled and then looks for its run; the run takes the turn and then
 * asks its completion; so one of the two sees the other. A run that is started while the last one ends takes the turn,
 * or the end finds the run in the queue.
 *
 * <p>Threads: any. Tasks do not come here: they read the flags of the {@link RunState}, and the end of a pass calls
 * {@link #over}.
 */
final class RunLifecycle {
    private static final WaitFlag UP = new WaitFlag(true);

    final CompiledGraph graph;
    private final RunState run;
    private final Dispatcher dispatcher;
    final RunQueue turns;

    /** The place of runs among live tasks; null when the graph has no session. */
    private final @Nullable RunOrder order;
    /**
     * True if the run in flight has such a place. Written before the run starts, by the thread that starts it: the run
     * has the turn and need not wait for a place, so no other thread writes. Read by the worker that ends the run.
     */
    private boolean inOrder;

    RunLifecycle(CompiledGraph graph, RunState run, CompiledGraphBuilder builder, AccessList accesses) {
        this.graph = graph;
        this.run = run;
        this.dispatcher = builder.dispatcher();
        this.turns = new RunQueue(graph, builder, dispatcher::isInsideNode);
        this.order = builder.domain() == null
                ? null
                : new RunOrder(builder.domain(), builder.name(), accesses, new OrderedRuns());
    }

    // ---- threads that wait

    /** Runs the graph and waits, as {@link CompiledGraph#run} says. */
    void run(boolean ordered) {
        if (order != null) {
            order.requireMayWait(ordered);
        }
        await(UP); // at once; refused inside of a task, before anything is started
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

    private void await(WaitFlag flag) {
        RunOrder.requireWhole(order);
        try {
            dispatcher.awaitFlag(flag);
        } catch (InterruptedException e) {
            throw new WaitInterruptedException("compiled graph \"" + graph.name() + '"', e);
        }
    }

    /** Waits until no run is in flight; throws the failures of runs for which no thread waited. */
    void join() {
        if (order != null) {
            order.requireMayJoin();
        }
        await(turns.idle());
        tell(turns.collect());
    }

    private void tell(@Nullable RuntimeException failure) {
        if (failure != null) {
            throw order == null ? failure : order.explain(failure);
        }
    }

    boolean isRunning() {
        return !turns.idle().isUp();
    }

    /**
     * Closes the graph, so that no run begins from outside any more, unless a run is in flight. Returns true if no run
     * is in flight.
     */
    boolean close() {
        return turns.close();
    }

    // ---- a run begins

    /** Starts a run from any thread, as soon as the run has its turn and its place. */
    void start(Completion whenOver) {
        try {
            if (takeTurn(whenOver) && mayStartOrRefuse(whenOver)) {
                dispatcher.ready(run.beginning());
            }
        } catch (VirtualMachineError e) { // the turn, or the place, may be taken for good
            if (order != null) {
                order.broken.by = e; // a field, since there may be no stack left for a call
            }
            RunOrder.brokeOff(order, dispatcher, e);
            throw e;
        }
    }

    /** Starts a run from inside a node, on {@code worker}. */
    void start(WorkerContext worker, Completion whenOver) {
        if (takeTurn(whenOver) && mayStartOrRefuse(whenOver)) {
            worker.readyAtEnd(run.beginning());
        }
    }

    /** Returns true if it is the run's turn. A run that loses its turn to this one keeps its flags for later. */
    private boolean takeTurn(Completion whenOver) {
        try {
            synchronized (turns) {
                boolean mine = turns.take(whenOver);
                if (mine) {
                    leaveFlags();
                }
                return mine;
            }
        } catch (IllegalStateException e) {
            dispatcher.requireUnbroken(); // else a run that never ends would be the reason
            throw e;
        }
    }

    /** Clears the flags of the run that was just displaced, and notes if that run was cancelled. Under the monitor. */
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
     * session is closed. The caller gets the exception. A worker starts the next run, since only a worker can tell that
     * run's completion of its end.
     */
    private boolean mayStartOrRefuse(Completion whenOver) {
        try {
            return mayStart(whenOver);
        } catch (RuntimeException | Error e) {
            if (turns.dropDisplaced(null) != null) { // another run has the turn now
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
            dispatcher.signal(); // wakes threads that wait until no run is in flight
            throw e;
        }
    }

    /** Starts the run that has the turn. */
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
     * Returns true if a run starts now: the run that has the turn, or, when that run waits for its place, the run that
     * gets the turn in its stead. A run that waits for its place is started by its {@link RunOrder}.
     */
    private boolean mayStart(Completion whenOver) {
        if (whenOver.cancelled()) { // a cancelling thread sets this and then looks for the run: one sees the other
            cancel(whenOver);
        }
        if (whenOver instanceof NestedRun) {
            inOrder = false;
            return true;
        }
        RunOrder place = whenOver.isOrdered() ? order : null;
        return (place == null || place.begin()) ? startsInPlace(place != null) : yieldsTurn();
    }

    /**
     * Notes that the run has its place, or needs none. Returns true if it is the run's turn; else the run starts when
     * it has the turn again.
     */
    private boolean startsInPlace(boolean ordered) {
        boolean starts = turns.placed();
        if (starts) { // no other run can have the turn from here on
            inOrder = ordered;
        }
        return starts;
    }

    /** Yields the turn of a run that waits for its place; returns true if another run starts instead. */
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

    /** Cancels the run in flight if it is {@code whom}'s; null stands for any run. */
    void cancel(@Nullable Completion whom) {
        synchronized (turns) { // the run cannot end here: else this might cancel the next run, or its inner ones
            Completion current = turns.current();
            turns.cancelDisplaced(whom);
            if (current != null && (whom == null || whom == current)) {
                run.cancel();
            }
        }
    }

    // ---- a run ends

    /** Ends a run that is over or never started, and begins the next. */
    void over(WorkerContext worker, @Nullable RuntimeException failure) {
        startNext(worker, tellEnd(worker, failure));
    }

    /** Ends the run in flight; returns the next run, which then has the turn and is to be started, or null. */
    private @Nullable Completion tellEnd(WorkerContext worker, @Nullable RuntimeException failure) {
        run.end();
        if (order != null && inOrder) {
            turns.ends();
            order.over(worker, failure);
        }
        inOrder = false;
        Completion whose;
        Completion next;
        boolean starts = false;
        synchronized (turns) { // in one section: when there is no next run, any thread may begin one from here on
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

    /**
     * Ends the turn of the run in flight and clears its flags, so that the next run inherits none. Under the monitor,
     * as {@link #cancel} is.
     */
    private Completion endTurn(@Nullable RuntimeException failure) {
        Completion whose = turns.end(failure);
        run.reset(turns.isCancelled());
        return whose;
    }

    /** Notifies the completion that its run is over. Waiting threads were notified at the end of the turn. */
    private void tell(Completion whose, WorkerContext worker, @Nullable RuntimeException failure) {
        try {
            whose.over(worker, failure);
        } catch (RuntimeException | Error e) { // ends the engine
            throw new IllegalStateException(
                    "the completion of a run of compiled graph \"" + graph.name() + "\" threw, which it must not", e);
        }
    }

    /**
     * Notifies the completion of the displaced run, if there is one, that the run never starts; returns true if there
     * was one.
     */
    private boolean endsDisplaced(WorkerContext worker, RuntimeException why) {
        Completion whose = turns.dropDisplaced(why);
        if (whose == null) {
            return false;
        }
        tell(whose, worker, why);
        dispatcher.signal();
        return true;
    }

    /** Starts {@code next}, or the run after it if {@code next} ends at once: a loop, since very many may end so. */
    private void startNext(WorkerContext worker, @Nullable Completion next) {
        Completion its = next;
        while (its != null) {
            RuntimeException why;
            try {
                if (mayStart(its)) {
                    worker.readyAtEnd(run.beginning());
                }
                return;
            } catch (RuntimeException e) { // thrown by a user-defined access; only the completion can report it
                why = e;
            } catch (Error e) { // the stack is full, say
                why = new IllegalStateException(
                        "a run of compiled graph \"" + graph.name() + "\" could not start: " + e, e);
            }
            if (endsDisplaced(worker, why)) {
                return;
            }
            inOrder = false; // the run has no place
            its = tellEnd(worker, why);
        }
    }
}
