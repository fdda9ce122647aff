package dev.jacquard.flow.runtime;

import dev.jacquard.flow.runtime.ItemScope.Held;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The order in which the copies of a task pass on results: that in which the copies took the items.
 *
 * <pre>
 *  take: the item gets the next place --body, engine tasks--> done
 *     it is the oldest item     --> its results are passed on, and those of the items after it that wait
 *     otherwise                 --> its results wait; the item counts as one that waits for engine tasks
 * </pre>
 *
 * <p>An item is at its end, for tickets and tokens, once its results were passed on. A copy takes no item while as many
 * of its items are unfinished, or wait here, as may be in flight; so few results wait. The oldest item waits for none
 * here, since it has its place only once it has its buffers, and the slots of its results: these keep their slots while
 * they wait.
 *
 * <p>Threads: the lock of this object is held while results are passed on, before those of the outlets. Places are
 * given out under another lock, before that of the stage.
 */
final class EmissionOrder {
    /** The lock under which copies take items. */
    private final Object takes = new Object();
    /** The number of items that were taken. Guarded by {@link #takes}. */
    private long taken;

    /** The place of the oldest item with results that were not passed on. Written under the lock of this object. */
    private volatile long oldest;
    /** The items that are done, by their places. Guarded by this. */
    private final Map<Long, Waiting> waiting = new HashMap<>();

    /** The results of an item that is done before its turn, with the slots for them if their edges have bounds. */
    private record Waiting(
            long ticket, List<Held> results, @Nullable Granted slots, DeferredItems owner) {}

    /** One copy as it takes part in the order. */
    static final class Part {
        private final EmissionOrder order;
        private final EmittingCopy copy;
        private final Stage stage;
        private final Outlet[] outlets;
        private final DeferredItems deferred;
        private final Borrower borrower;
        /** The place of the item that was taken last. */
        long place;

        private Part(
                EmissionOrder order,
                EmittingCopy copy,
                Stage stage,
                Outlet[] outlets,
                DeferredItems deferred,
                Borrower borrower) {
            this.order = order;
            this.copy = copy;
            this.stage = stage;
            this.outlets = outlets;
            this.deferred = deferred;
            this.borrower = borrower;
        }

        /** Takes one item like {@link Stage#take}, and its place. */
        int take(@Nullable Object[] into, WakeList wakes) {
            synchronized (order.takes) {
                int count = stage.take(into, 1, copy.counters, copy.route, wakes);
                if (count > 0) {
                    place = order.taken++;
                }
                return count;
            }
        }

        /** Returns true if the item with this place is the oldest, so that its results may be passed on at once. */
        boolean isTurn(long its) {
            return order.oldest == its;
        }

        /**
         * Passes on the results of the item that the copy is done with, and of items after it; or keeps them until its
         * turn. Returns false then. If it throws, the run must fail: results of items after it may be lost.
         */
        boolean pass(long its, List<Held> results) {
            List<Waiting> after = new ArrayList<>(0);
            long ticket = copy.ticket;
            synchronized (order) {
                if (its != order.oldest) {
                    deferred.waitsForTurn();
                    order.waiting.put(its, new Waiting(ticket, results, borrower.suspend(), deferred));
                    return false;
                }
                emit(results);
                Granted own = borrower.suspend();
                long next = its + 1;
                for (Waiting one = order.waiting.remove(next); one != null; one = order.waiting.remove(++next)) {
                    copy.ticket = one.ticket;
                    borrower.resume(one.slots);
                    emit(one.results);
                    after.add(one);
                }
                for (Outlet outlet : outlets) {
                    outlet.flush();
                }
                order.oldest = next;
                borrower.resume(own);
            }
            copy.ticket = ticket;
            after.forEach(this::end);
            return true;
        }

        private void emit(List<Held> results) {
            for (Held held : results) {
                outlets[held.outlet().number()].collect(held.item());
            }
        }

        private void end(Waiting one) {
            if (one.slots != null) {
                copy.run.ledger().giveBack(one.slots, true, copy.wakes);
            }
            TicketSet here = stage.setup.doneFrom();
            if (here != null && one.ticket != 0) {
                copy.run.ledger().leave(here, new long[] {one.ticket}, 1, copy.wakes);
            }
            Cycle cycle = stage.cycle();
            if (cycle != null) {
                copy.wakes.add(cycle.give(1, null));
            }
            one.owner.turnCame();
        }
    }

    /** Returns the part of a copy in the order of its task; null if the task keeps none. Called before the start. */
    static @Nullable Part partOf(
            EmittingCopy copy, Stage stage, Outlet[] outlets, DeferredItems deferred, Borrower borrower) {
        EmissionOrder order = stage.setup.order;
        return order == null ? null : new Part(order, copy, stage, outlets, deferred, borrower);
    }
}
